import { type JsonObject, ToolError } from '../../kit/index.ts';
import type { ReadHandle } from '../../storage/connections.ts';
import { type CohortDecision, cohortThreshold, cohortTier } from './cohort.ts';
import {
  type AppPackage,
  cohortOf,
  configById,
  type DeploymentConfig,
  type DeploymentTerminal,
  deploymentTerminal,
  type OpenDeployment,
  openDeployment,
  packageById,
} from './deployments.repository.ts';
import { conflict, decommissioned, unknownTerminal } from './refusals.ts';
import type { DeployRules } from './settings.ts';
import { compareVersions } from './versions.ts';

/** Whether a package may go to a terminal, and under which tier. Judged before approval and again under the locks of the effect. */
export interface DeploymentFacts {
  readonly terminal: DeploymentTerminal;
  readonly package: AppPackage;
  readonly config: DeploymentConfig;
  readonly open: OpenDeployment | null;
  readonly cohort: number;
  readonly threshold: number;
  readonly decision: CohortDecision;
}

export interface DeploymentRequest {
  readonly serial_number: string;
  readonly package_id: number;
  readonly config_id: number;
}

/** Reads everything the decision needs, in a fixed number of statements. Errors: NOT_FOUND. */
export async function deploymentFacts(
  db: Pick<ReadHandle, 'select'>,
  drift: ReadonlySet<string>,
  request: DeploymentRequest,
  rules: DeployRules,
): Promise<DeploymentFacts> {
  const terminal = await deploymentTerminal(db, drift, request.serial_number);
  if (!terminal) throw unknownTerminal(request.serial_number);
  const found = await packageById(db, request.package_id);
  if (!found) throw missing('package', { package_id: request.package_id });
  const config = await configById(db, request.config_id);
  if (!config) throw missing('deployment configuration', { config_id: request.config_id });
  const open = await openDeployment(db, request.serial_number);
  const { cohort, active } = await cohortOf(db, {
    serialNumber: request.serial_number,
    package: found,
    windowHours: rules.windowHours,
  });
  const threshold = cohortThreshold(active, rules);
  const decision = cohortTier({ cohort, threshold, terminalTier: terminal.tier }, rules);
  return { terminal, package: found, config, open, cohort, threshold, decision };
}

export type Verdict = 'deploy' | 'already_installed' | 'duplicate';

/** Errors: CONFLICT with `details.reason`. `duplicate`: the same deployment is in flight. */
export function judge(facts: DeploymentFacts, keyed: boolean): Verdict {
  const { terminal, package: wanted, config, open } = facts;
  if (terminal.status === 'decommissioned') throw decommissioned(terminal.serialNumber);
  if (wanted.status !== 'approved') {
    throw conflict('package_not_approved', 'The package is not approved.', { package_status: wanted.status });
  }
  if (wanted.vendor !== terminal.vendor || wanted.model !== terminal.model) {
    throw conflict('wrong_model', 'The package is for another vendor or model.', {
      package: { vendor: wanted.vendor, model: wanted.model },
      terminal: { vendor: terminal.vendor, model: terminal.model },
    });
  }
  if (!config.active) throw conflict('config_inactive', 'The deployment configuration is not active.');
  if (open) {
    const same = open.packageId === wanted.id && open.configId === config.id && open.kind === 'deploy';
    if (same && !keyed) return 'duplicate';
    throw conflict('deployment_in_flight', 'A deployment to this terminal is in flight.', {
      in_flight: {
        deployment_id: open.id,
        package_id: open.packageId,
        target_version: open.targetVersion,
        status: open.status,
        requested_at: open.requestedAt,
      },
    });
  }
  if (terminal.appVersion !== null && compareVersions(terminal.appVersion, wanted.version) === 0)
    return 'already_installed';
  if (wanted.minFromVersion !== null) {
    const versions: JsonObject = { min_from_version: wanted.minFromVersion, current_version: terminal.appVersion };
    if (terminal.appVersion === null) {
      throw conflict('current_version_unknown', 'The package needs a known version to start from.', versions);
    }
    const order = compareVersions(terminal.appVersion, wanted.minFromVersion);
    if (order === null || order < 0) {
      throw conflict('version_too_old', 'The package cannot be installed over the current version.', versions);
    }
  }
  return 'deploy';
}

const missing = (what: string, details: JsonObject): ToolError =>
  new ToolError('NOT_FOUND', { message: `There is no such ${what}.`, details });
