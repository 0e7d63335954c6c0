import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { ReadHandle } from '../../storage/connections.ts';
import { optionalColumn } from '../../storage/optional-column.ts';
import { mqttOutbox } from '../../storage/schema/outbox.ts';
import {
  appPackages,
  appDeploymentConfigs as configs,
  appPackageDeployments as deployments,
  tmsTerminals as terminals,
} from '../../storage/schema/product.ts';
import { OPEN_DEPLOYMENT_STATUSES } from './shapes.ts';

/** Queries about deployments. They take a read handle before approval and the effect's transaction afterwards: the same rules both times. */
type Selecting = Pick<ReadHandle, 'select'>;

export async function deploymentTerminal(db: Selecting, drift: ReadonlySet<string>, serial: string) {
  const [row] = await db
    .select({
      asOf: sql<string>`now()`,
      serialNumber: terminals.serialNumber,
      vendor: terminals.vendor,
      model: terminals.model,
      tier: optionalColumn(drift, 'product', terminals.tier),
      status: terminals.status,
      appVersion: terminals.appVersion,
    })
    .from(terminals)
    .where(eq(terminals.serialNumber, serial));
  return row ?? null;
}
export type DeploymentTerminal = NonNullable<Awaited<ReturnType<typeof deploymentTerminal>>>;

export async function packageById(db: Selecting, id: number) {
  const [row] = await db
    .select({
      id: appPackages.id,
      name: appPackages.packageName,
      version: appPackages.version,
      vendor: appPackages.vendor,
      model: appPackages.model,
      sha256: appPackages.sha256,
      sizeBytes: appPackages.sizeBytes,
      minFromVersion: appPackages.minFromVersion,
      status: appPackages.status,
    })
    .from(appPackages)
    .where(eq(appPackages.id, id));
  return row ?? null;
}
export type AppPackage = NonNullable<Awaited<ReturnType<typeof packageById>>>;

export async function configById(db: Selecting, id: number) {
  const [row] = await db
    .select({
      id: configs.id,
      name: configs.name,
      installWindow: configs.installWindow,
      allowOnBattery: configs.allowOnBattery,
      minBattery: configs.minBattery,
      rebootAfter: configs.rebootAfter,
      active: configs.active,
    })
    .from(configs)
    .where(eq(configs.id, id));
  return row ?? null;
}
export type DeploymentConfig = NonNullable<Awaited<ReturnType<typeof configById>>>;

/** The deployment of a terminal that is not final, if any (partial unique index). */
export async function openDeployment(db: Selecting, serial: string) {
  const [row] = await db
    .select({
      id: deployments.id,
      packageId: deployments.packageId,
      configId: deployments.configId,
      kind: deployments.kind,
      status: deployments.status,
      fromVersion: deployments.fromVersion,
      targetVersion: deployments.targetVersion,
      tier: deployments.tier,
      cohortSize: deployments.cohortSize,
      commandId: deployments.commandId,
      requestedAt: deployments.requestedAt,
    })
    .from(deployments)
    .where(and(eq(deployments.serialNumber, serial), inArray(deployments.status, [...OPEN_DEPLOYMENT_STATUSES])))
    .orderBy(desc(deployments.id))
    .limit(1);
  return row ?? null;
}
export type OpenDeployment = NonNullable<Awaited<ReturnType<typeof openDeployment>>>;

/** How far a command has come. Our own table: only the write role sees it. */
export async function commandState(tx: Selecting, commandId: string) {
  const [row] = await tx
    .select({ state: mqttOutbox.state, expiresAt: mqttOutbox.expiresAt })
    .from(mqttOutbox)
    .where(eq(mqttOutbox.commandId, commandId));
  return row ?? null;
}

/**
 * Terminals that got this package within the window, this one included whether or not it did, from any caller, and the active terminals of the
 * package's vendor and model. Cancelled and expired deployments do not count. Indexes (package_id, requested_at) and (vendor, model).
 */
export async function cohortOf(
  db: Selecting,
  about: { readonly serialNumber: string; readonly package: AppPackage; readonly windowHours: number },
): Promise<{ readonly cohort: number; readonly active: number }> {
  const [others] = await db
    .select({ count: sql<number>`count(distinct ${deployments.serialNumber})::int` })
    .from(deployments)
    .where(
      and(
        eq(deployments.packageId, about.package.id),
        eq(deployments.kind, 'deploy'),
        sql`${deployments.requestedAt} > timezone('utc', now()) - make_interval(hours => ${about.windowHours}::int)`,
        sql`${deployments.status} not in ('cancelled', 'expired')`,
        sql`${deployments.serialNumber} <> ${about.serialNumber}`,
      ),
    );
  const [fleet] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(terminals)
    .where(
      and(
        eq(terminals.vendor, about.package.vendor),
        eq(terminals.model, about.package.model),
        sql`${terminals.status} <> 'decommissioned'`,
      ),
    );
  return { cohort: (others?.count ?? 0) + 1, active: fleet?.count ?? 0 };
}
