import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  ApprovalOutdated,
  defineTool,
  type EffectTransaction,
  fields,
  RISK_TIERS,
  type RiskTier,
  riskRank,
  success,
} from '../../../kit/index.ts';
import { OUTBOX_WRITES } from '../../../messaging/outbox.ts';
import { appPackageDeployments as deployments } from '../../../storage/schema/product.ts';
import { utcNow } from '../../../storage/writer.ts';
import { T2 } from '../access.ts';
import { actorName } from '../actor.ts';
import { suppressedDuplicate } from '../config-push.ts';
import { type DeploymentFacts, deploymentFacts, judge } from '../deployment.ts';
import { commandState } from '../deployments.repository.ts';
import { downloadPath } from '../push-payload.ts';
import { conflict } from '../refusals.ts';
import { maybeInstant, maybeText, serial } from '../shapes.ts';
import { DEPLOYMENT_CONFIGS, DEPLOYMENTS, PACKAGES, TERMINAL_DEPLOY, WRITE_DEPLOYMENT } from '../tables.ts';
import { BROKER_WAIT_MS } from './trigger-config-push.ts';

const TTL_MS = 72 * 3_600_000;

const output = z.object({
  action: z.enum(['deployed', 'already_installed']),
  deployment_id: z.int().nullable(),
  command_id: fields.uuid.nullable(),
  serial_number: serial,
  package: z.object({ id: z.int(), name: z.string(), version: z.string() }),
  from_version: maybeText,
  target_version: z.string(),
  tier: z.enum(['T2', 'T3']),
  cohort_size: z.int(),
  threshold: z.int(),
  status: maybeText,
  delivery: z.enum(['published', 'queued']).nullable(),
  expires_at: maybeInstant,
  duplicate: z.boolean(),
});
type Answer = z.input<typeof output>;

export const deployAppPackage = defineTool({
  name: 'deploy_app_package',
  title: 'Deploy app package',
  description:
    'Installs an approved app package on one terminal, once approved: by one person while few terminals got the package lately, by two persons once it is a rollout (cohort_size over threshold). An offline terminal is not an error: the command waits up to 72 h. The same deployment in flight is answered instead of sent again.',
  access: T2,
  input: z.strictObject({
    serial_number: fields.serialNumber,
    package_id: fields.recordId,
    config_id: fields.recordId.describe('Deployment configuration: install window, battery and reboot rules.'),
  }),
  output,
  reads: [TERMINAL_DEPLOY, PACKAGES, DEPLOYMENT_CONFIGS, DEPLOYMENTS],
  writes: [WRITE_DEPLOYMENT, ...OUTBOX_WRITES],
  needs: ['product', 'outbox', 'tmsSettings'],
  target: (input) => input.serial_number,
  async check(context, input) {
    const { product, tmsSettings } = context.use;
    judge(await product.read((db) => deploymentFacts(db, context.drift, input, tmsSettings.deploy)), context.keyed);
  },
  async tier(context, input) {
    const { product, tmsSettings } = context.use;
    const { decision } = await product.read((db) => deploymentFacts(db, context.drift, input, tmsSettings.deploy));
    return decision;
  },
  approval: {
    summary: (input) =>
      `Install package ${input.package_id} on terminal ${input.serial_number} with deployment configuration ${input.config_id}.`,
    binding: ['package', 'package_sha256', 'current_version', 'cohort_size', 'threshold'],
    async preconditions(context, input) {
      const { product, tmsSettings } = context.use;
      const facts = await product.read((db) => deploymentFacts(db, context.drift, input, tmsSettings.deploy));
      return {
        package: `${facts.package.name} ${facts.package.version}`,
        package_sha256: facts.package.sha256,
        current_version: facts.terminal.appVersion,
        cohort_size: facts.cohort,
        threshold: facts.threshold,
        tier: facts.decision.tier,
        terminal_status: facts.terminal.status,
        install_window: facts.config.installWindow,
      };
    },
  },
  async run(context, input) {
    const { outbox, tmsSettings } = context.use;
    await outbox.refuseWhenOverloaded(context.signal);
    let asOf: string | null = null;
    const data = await context.effect(async (tx): Promise<Answer> => {
      // The package before the terminal, always: two deployments of one package count each other.
      await tx.serialise(`tms:package:${input.package_id}`);
      await tx.serialise(`tms:${input.serial_number}`);
      const facts = await deploymentFacts(tx, context.drift, input, tmsSettings.deploy);
      asOf = facts.terminal.asOf;
      const verdict = judge(facts, context.keyed);
      if (verdict === 'already_installed') return nothingToDo(facts);
      if (verdict === 'duplicate') return earlierOne(tx, facts);
      requireTier(context.tier, facts);
      const commandId = randomUUID();
      const expiresAt = new Date(Date.now() + TTL_MS);
      const [row] = await tx.insert(
        deployments,
        {
          packageId: facts.package.id,
          configId: facts.config.id,
          serialNumber: input.serial_number,
          kind: 'deploy',
          fromVersion: facts.terminal.appVersion,
          targetVersion: facts.package.version,
          status: 'queued',
          tier: facts.decision.tier,
          cohortSize: facts.cohort,
          requestedBy: actorName(context.principal),
          approvalId: context.approval?.id ?? null,
          commandId,
          requestedAt: utcNow,
          insertedAt: utcNow,
          updatedAt: utcNow,
        },
        { returning: { id: deployments.id }, skipConflicts: true },
      );
      // Another system may have begun a deployment since: the unique index on open ones has the last word.
      if (!row) throw conflict('deployment_in_flight', 'A deployment to this terminal is in flight.');
      await outbox.enqueue(tx, {
        commandId,
        serialNumber: input.serial_number,
        commandType: 'app_install',
        params: {
          package: facts.package.name,
          version: facts.package.version,
          sha256: facts.package.sha256,
          size_bytes: facts.package.sizeBytes,
          download_path: downloadPath(commandId),
          install_window: facts.config.installWindow,
          allow_on_battery: facts.config.allowOnBattery,
          min_battery: facts.config.minBattery,
          reboot_after: facts.config.rebootAfter,
        },
        expiresAt,
        ref: { table: 'app_package_deployments', id: row.id },
      });
      return {
        ...common(facts),
        action: 'deployed',
        deployment_id: row.id,
        command_id: commandId,
        from_version: facts.terminal.appVersion,
        tier: facts.decision.tier,
        cohort_size: facts.cohort,
        status: 'queued',
        delivery: 'queued',
        expires_at: expiresAt.toISOString(),
        duplicate: false,
      };
    });
    const provenance = {
      as_of: asOf,
      sources: [
        { system: 'product' as const, object: 'app_package_deployments', rows: data.deployment_id === null ? 0 : 1 },
      ],
    };
    if (data.duplicate) {
      const warnings = [suppressedDuplicate('The same deployment to this terminal is in flight.')];
      return success(data, { suppressed: true, warnings, provenance });
    }
    if (data.command_id === null) return success(data, { suppressed: true, provenance });
    const { delivery, warnings } = await outbox.waitPublished(data.command_id, BROKER_WAIT_MS, context.signal);
    return success(
      { ...data, delivery, status: delivery === 'published' ? 'sent' : 'queued' },
      { warnings, provenance },
    );
  },
});

/** Under the lock on the package the tier is final. What was approved for less does not suffice. */
function requireTier(approvedAs: string, facts: DeploymentFacts): void {
  const granted: RiskTier | undefined = RISK_TIERS.find((tier) => tier === approvedAs);
  if (granted !== undefined && riskRank(granted) >= riskRank(facts.decision.tier)) return;
  throw new ApprovalOutdated({
    tier: { from: approvedAs, to: facts.decision.tier },
    cohort_size: facts.cohort,
    threshold: facts.threshold,
  });
}

const common = (facts: DeploymentFacts) => ({
  serial_number: facts.terminal.serialNumber,
  package: { id: facts.package.id, name: facts.package.name, version: facts.package.version },
  target_version: facts.package.version,
  threshold: facts.threshold,
});

const nothingToDo = (facts: DeploymentFacts): Answer => ({
  ...common(facts),
  action: 'already_installed',
  deployment_id: null,
  command_id: null,
  from_version: facts.terminal.appVersion,
  tier: facts.decision.tier,
  cohort_size: facts.cohort,
  status: null,
  delivery: null,
  expires_at: null,
  duplicate: false,
});

async function earlierOne(tx: EffectTransaction, facts: DeploymentFacts): Promise<Answer> {
  const { open } = facts;
  if (!open) throw new TypeError('a duplicate without its original');
  const command = await commandState(tx, open.commandId);
  return {
    ...common(facts),
    action: 'deployed',
    deployment_id: open.id,
    command_id: open.commandId,
    from_version: open.fromVersion,
    tier: open.tier === 'T3' ? 'T3' : 'T2',
    cohort_size: open.cohortSize,
    status: open.status,
    delivery:
      command?.state === 'pending' || command?.state === 'publishing' || open.status === 'queued'
        ? 'queued'
        : 'published',
    expires_at: command?.expiresAt ?? new Date(Date.parse(open.requestedAt) + TTL_MS).toISOString(),
    duplicate: true,
  };
}
