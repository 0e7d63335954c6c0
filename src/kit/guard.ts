import { type RiskTier, riskRank, TRUST_TIERS } from './access.ts';
import type { Server } from './server.ts';
import type { Tool } from './tool.ts';

/**
 * The registration guard. It runs over every server's tools before the listener opens; any finding stops the process.
 * Guarantees: nothing that must never be a tool (tier T4) is registered under its name or a spelling of it, no tool lacks a field of its access,
 * no reader declares a write, and no write declares a forbidden table or column. Leaves to others: what a handler really does, which the writer
 * (storage) and the grants of the database role enforce again.
 */
export interface Finding {
  readonly server: string;
  readonly tool: string;
  readonly rule: string;
  readonly message: string;
}

/** Never registered, on any server that carries the payments contract. */
const NEVER = new Set(
  `release_transaction release_hold unhold_transaction resolve_exception approve_payout release_payout execute_payout approve_mis
  write_off_exception adjust_amount refund_transaction void_transaction reverse_transaction set_risk_action set_risk_status release_risk_hit
  hold_risk_hit dispose_risk_hit update_mdr update_kyc approve_kyc update_merchant push_keys inject_key rotate_key get_key get_kcv get_kek
  load_kek trigger_rki get_rki_status get_key_slots update_key_slots decrypt_pan get_pan get_track_data run_sql run_promql create_silence
  expire_silence cancel_job insert_job`
    .split(/\s+/)
    .map(folded),
);
const NEVER_PATTERN =
  /(release|unhold|dispos|payout|refund|void|reverse|kek|kcv|rki|keyslot|injectkey|pan$|track|decrypt|silence|rawsql)/;
/** Names that match the pattern and are allowed all the same, each with its reason. Empty: none of the contract's names needs it. */
const PATTERN_EXCEPTIONS: ReadonlyMap<string, string> = new Map();

const READ_ONLY_SERVERS = new Set(['switch', 'infra']);
const FORBIDDEN_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  risk_rule_hits: ['status', 'action_taken', 'action_at', 'supervisor_id', 'category'],
};
const FORBIDDEN_TABLE = /key|kek|kcv|rki|slot/;

/** The tier that the payments contract gives each actuator. A tool registered lower would skip its approval. */
const CONTRACT_TIERS: Readonly<Record<string, RiskTier>> = {
  trigger_config_push: 'T1',
  trigger_missing_version_push: 'T1',
  regenerate_config_artifact: 'T1',
  start_remote_log_session: 'T1',
  stop_remote_log_session: 'T1',
  send_mqtt_command: 'T2',
  deploy_app_package: 'T2',
  rollback_app_package: 'T3',
  re_run_failed_job: 'T1',
  retrigger_reconciliation: 'T2',
  hold_transaction: 'T2',
  enrich_risk_hit: 'T1',
  categorize_risk_hit: 'T1',
};

function folded(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

type Rule = (server: Server, tool: Tool) => string[];

const neverNames: Rule = (_server, tool) =>
  NEVER.has(folded(tool.name)) ? ['the name is on the never-registered list'] : [];

const neverPattern: Rule = (_server, tool) => {
  const match = NEVER_PATTERN.exec(folded(tool.name));
  return match && !PATTERN_EXCEPTIONS.has(tool.name) ? [`the name contains "${match[1]}"`] : [];
};

const complete: Rule = (_server, tool) => {
  const missing: string[] = [];
  const access = tool.access as Partial<Tool['access']> | undefined;
  if (!access?.risk) missing.push('risk tier');
  if (!access?.category) missing.push('category');
  if (access?.trust === undefined) missing.push('trust tier (or null)');
  if (typeof access?.readOnly !== 'boolean') missing.push('readOnly');
  if (typeof access?.destructive !== 'boolean') missing.push('destructive');
  if (!tool.input) missing.push('input schema');
  if (!tool.output) missing.push('output schema');
  if (!Array.isArray(tool.reads)) missing.push('reads list');
  if (!Array.isArray(tool.writes)) missing.push('writes list');
  if (!tool.title || !tool.description) missing.push('title and description');
  if (access?.risk && access.risk !== 'read' && !tool.target) missing.push('target');
  if (access?.risk && riskRank(access.risk) >= riskRank('T2') && !tool.approval) missing.push('approval texts');
  return missing.map((what) => `has no ${what}`);
};

const readOnlyServer: Rule = (server, tool) =>
  READ_ONLY_SERVERS.has(server.name) && (tool.access?.risk !== 'read' || (tool.writes?.length ?? 0) > 0)
    ? [`server ${server.name} only reads`]
    : [];

const readersDoNotWrite: Rule = (_server, tool) => {
  const out: string[] = [];
  if (tool.access?.risk === 'read' && (tool.writes?.length ?? 0) > 0) out.push('is a read tool and declares writes');
  if (tool.access?.readOnly === true && tool.access.risk !== 'read') out.push('says readOnly with a tier above read');
  return out;
};

const allowedTargets: Rule = (_server, tool) => {
  const out: string[] = [];
  for (const { db, table, columns, values } of tool.writes ?? []) {
    const bare = table.replace(/^mcp_ops\./, '');
    if ((db as string) === 'mms') out.push('writes to the MMS database');
    if (/^payout_/.test(bare)) out.push(`writes ${table}`);
    if (FORBIDDEN_TABLE.test(bare)) out.push(`writes ${table}`);
    for (const column of FORBIDDEN_COLUMNS[bare] ?? [])
      if (columns.includes(column)) out.push(`writes ${table}.${column}`);
    if (bare === 'reconciliation_exceptions' && columns.includes('status')) {
      const allowed = values?.['status'];
      if (!allowed || allowed.some((value) => value !== 'open' && value !== 'held')) {
        out.push('writes reconciliation_exceptions.status with a value other than open or held');
      }
    }
  }
  return out;
};

const contractTier: Rule = (_server, tool) => {
  const wanted = CONTRACT_TIERS[tool.name];
  return wanted && tool.access?.risk && riskRank(tool.access.risk) < riskRank(wanted)
    ? [`is registered as ${tool.access.risk}; the contract says ${wanted}`]
    : [];
};

/** Engineering servers have contract names such as `setSimulationVariable` that no payments rule was made for; the fields still count for all. */
const PAYMENTS_RULES: Readonly<Record<string, Rule>> = {
  'never-registered': neverNames,
  'never-pattern': neverPattern,
  'read-only-server': readOnlyServer,
  'forbidden-target': allowedTargets,
  'contract-tier': contractTier,
};
const RULES: Readonly<Record<string, Rule>> = { incomplete: complete, 'reader-writes': readersDoNotWrite };

export function inspect(server: Server): Finding[] {
  const findings: Finding[] = [];
  const rules = {
    ...(server.envelope.id === 'payments' ? PAYMENTS_RULES : { 'never-registered': neverNames }),
    ...RULES,
  };
  const seen = new Set<string>();
  for (const tool of server.tools) {
    const add = (rule: string, message: string) =>
      findings.push({ server: server.name, tool: tool.name, rule, message });
    if (seen.has(tool.name)) add('duplicate', 'the name is registered twice');
    seen.add(tool.name);
    if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(tool.name))
      add('name', 'the name is not 1 to 64 letters, digits or underscores');
    if (server.envelope.id === 'neqsim' && tool.access && !TRUST_TIERS.some((tier) => tier === tool.access.trust)) {
      add('incomplete', 'has no trust tier, which this server needs');
    }
    for (const [rule, check] of Object.entries(rules)) for (const message of check(server, tool)) add(rule, message);
  }
  return findings;
}
