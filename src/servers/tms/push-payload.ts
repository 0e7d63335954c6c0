import { randomBytes } from 'node:crypto';
import { and, desc, eq, inArray } from 'drizzle-orm';
import type { JsonObject } from '../../kit/index.ts';
import type { Effect } from '../../storage/connections.ts';
import { appPackages, appPackageDeployments as deployments } from '../../storage/schema/product.ts';
import { type Addressee, currentArtifact, templateFor } from './artifacts/artifacts.repository.ts';
import type { ArtifactStore } from './artifacts/store.ts';
import { conflict } from './refusals.ts';
import { type ConfigType, OPEN_DEPLOYMENT_STATUSES } from './shapes.ts';

/** What a configuration push tells the terminal, and what its row records of it. */
export interface Payload {
  readonly commandType: string;
  readonly templateId: number | null;
  readonly artifactId: number | null;
  readonly version: string | null;
  readonly sha256: string | null;
  params(commandId: string): JsonObject;
}

/** Errors: CONFLICT (no template, no deployment, cannot be built), DEPENDENCY_UNAVAILABLE (artifact store). */
export async function payloadFor(
  tx: Effect,
  store: ArtifactStore,
  terminal: Addressee,
  request: { readonly configType: ConfigType; readonly requestedBy: string },
): Promise<Payload> {
  const { configType } = request;
  const { serialNumber } = terminal;
  if (configType === 'keys_config') {
    // A bare notice: the terminal runs its own key check. Nothing here knows anything about keys.
    const params = () => ({ config_type: 'keys_config' });
    return { commandType: 'config_check', templateId: null, artifactId: null, version: null, sha256: null, params };
  }
  if (configType === 'application') {
    const target = await deployedPackage(tx, serialNumber);
    if (!target)
      throw conflict('no_deployment', 'This terminal has no deployed package to push. Deploy a package first.');
    return update(configType, { ...target, templateId: null, artifactId: null });
  }
  const template = await templateFor(tx, configType, terminal);
  if (!template) {
    throw conflict('no_template', 'There is no active template for this terminal.', {
      looked_for: { config_type: configType, vendor: terminal.vendor, model: terminal.model, group: terminal.group },
    });
  }
  const artifact = await currentArtifact(tx, store, {
    serialNumber,
    type: configType,
    template,
    builtBy: request.requestedBy,
  });
  return update(configType, { ...artifact, templateId: template.id, artifactId: artifact.id });
}

function update(
  configType: ConfigType,
  file: {
    readonly templateId: number | null;
    readonly artifactId: number | null;
    readonly version: string;
    readonly sha256: string;
    readonly sizeBytes: number;
  },
): Payload {
  return {
    commandType: 'config_update',
    templateId: file.templateId,
    artifactId: file.artifactId,
    version: file.version,
    sha256: file.sha256,
    params: (commandId) => ({
      config_type: configType,
      version: file.version,
      sha256: file.sha256,
      size_bytes: file.sizeBytes,
      download_path: downloadPath(commandId),
    }),
  };
}

/**
 * Where a terminal fetches the file of a command. The code is in the command alone, never in an answer: it is worth what the outbox row says,
 * for this command's file and until the command expires.
 */
export const downloadPath = (commandId: string): string =>
  `/artifacts/${commandId}/${randomBytes(24).toString('base64url')}`;

/** The package of the newest deployment that succeeded or is on its way. Index (serial_number, requested_at). */
async function deployedPackage(tx: Effect, serialNumber: string) {
  const [row] = await tx
    .select({ version: appPackages.version, sha256: appPackages.sha256, sizeBytes: appPackages.sizeBytes })
    .from(deployments)
    .innerJoin(appPackages, eq(appPackages.id, deployments.packageId))
    .where(
      and(
        eq(deployments.serialNumber, serialNumber),
        inArray(deployments.status, ['succeeded', ...OPEN_DEPLOYMENT_STATUSES]),
      ),
    )
    .orderBy(desc(deployments.requestedAt), desc(deployments.id))
    .limit(1);
  return row ?? null;
}
