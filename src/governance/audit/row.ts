/**
 * Between an audit entry and the table `audit_records`: every text is made to fit its column before it is hashed, because a record that
 * the store refuses is worse than one with a shortened text. What does not fit the form of its column (a trace id that is none) goes to
 * `detail.unfit`, so nothing is dropped unseen.
 */
import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../kit/json.ts';
import { storableJson, storableText } from '../storable.ts';
import type { AuditEntry } from './entry.ts';
import { parseExact } from './exact-json.ts';

/** Every stored column but `seq`, `prev_hash` and `hash`: what the chain protects beside the place itself. */
const COLUMNS = {
  at: 'timestamptz',
  phase: 'text',
  call_id: 'uuid',
  request_id: 'uuid',
  trace_id: 'text',
  server: 'text',
  tool: 'text',
  tier: 'text',
  principal: 'text',
  issuer: 'text',
  client: 'text',
  on_behalf_of: 'text',
  profile: 'text',
  policy_version: 'text',
  catalogue_digest: 'text',
  args_digest: 'text',
  args: 'jsonb',
  status: 'text',
  code: 'text',
  rows: 'int',
  redactions: 'int',
  approval_id: 'uuid',
  approvers: 'text[]',
  idempotency_key: 'text',
  replayed: 'boolean',
  duration_ms: 'int',
  detail: 'jsonb',
} as const;
type Column = keyof typeof COLUMNS;
export type AuditRow = Readonly<Record<Column, JsonValue>>;

const NAMES = Object.keys(COLUMNS) as Column[];
export const INSERT_COLUMNS = [...NAMES, 'seq', 'prev_hash', 'hash'].join(', ');
export const RECORDSET_COLUMNS = [
  ...NAMES.map((name) => `${name} ${COLUMNS[name]}`),
  'seq bigint',
  'prev_hash text',
  'hash text',
].join(', ');

/** Everything as text, whatever parsers the connection has, and instants to the last digit the column holds. */
export const SELECT_COLUMNS = [
  ...NAMES.map((name) => {
    const type: string = COLUMNS[name];
    if (type === 'timestamptz')
      return `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ${name}`;
    if (type === 'text[]') return `array_to_json(${name})::text as ${name}`;
    return `${name}::text as ${name}`;
  }),
  'seq::text as seq',
  'prev_hash::text as prev_hash',
  'hash::text as hash',
].join(', ');
export type StoredRecord = Readonly<Record<Column, string | null> & { seq: string; prev_hash: string; hash: string }>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TRACE = /^[0-9a-f]{32}$/;
const DIGEST = /^[0-9a-f]{64}$/;
const LARGEST_INT = 2_147_483_647;

/** Cut to `length` code points, which is what varchar counts. */
function cut(text: string, length: number): string {
  const fit = storableText(text);
  if (fit.length <= length) return fit;
  const points = [...fit];
  return points.length <= length ? fit : `${points.slice(0, length - 1).join('')}…`;
}

const whole = (value: number | null): number | null =>
  value === null || !Number.isFinite(value) ? null : Math.min(LARGEST_INT, Math.max(0, Math.round(value)));

export function toRow(entry: AuditEntry): AuditRow {
  const unfit: JsonObject = {};
  const text = (value: string | null | undefined, length: number): string | null =>
    value === null || value === undefined ? null : cut(value, length);
  const formed = (column: Column, value: string | null, form: RegExp): string | null => {
    if (value === null) return null;
    if (form.test(value)) return value;
    unfit[column] = cut(value, 128);
    return null;
  };
  const { principal } = entry;
  const row = {
    // Six decimals, as the chain's form says; the clock gives three.
    at: (entry.at ?? new Date()).toISOString().replace('Z', '000Z'),
    phase: entry.kind === 'reconciled' ? 'reconciled' : isEvent(entry) ? 'event' : entry.phase,
    call_id: formed('call_id', entry.callId, UUID) ?? randomUUID(),
    request_id: formed('request_id', entry.requestId, UUID),
    trace_id: formed('trace_id', entry.traceId, TRACE),
    server: text(entry.server, 64) ?? '',
    tool: text(entry.tool, 128) ?? '',
    tier: text(entry.tier, 8),
    principal: text(principal?.id, 256) ?? '',
    issuer: text(principal?.issuer, 512),
    client: text(principal?.client, 256),
    on_behalf_of: text(principal?.onBehalfOf, 256),
    profile: text(entry.profile, 64),
    policy_version: text(entry.policyVersion, 64),
    catalogue_digest: formed('catalogue_digest', entry.catalogueDigest, DIGEST),
    args_digest: formed('args_digest', entry.argsDigest, DIGEST),
    args: entry.auditable && storableJson(entry.auditable),
    status: text(entry.status, 24),
    code: text(entry.errorCode, 64),
    rows: whole(entry.rows),
    redactions: whole(entry.redactions),
    approval_id: formed('approval_id', entry.approvalId, UUID),
    approvers: entry.approvers.map((approver) => cut(approver, 256)),
    idempotency_key: text(entry.idempotencyKey, 128),
    replayed: entry.replayed ?? null,
    duration_ms: whole(entry.durationMs),
  };
  const detail: JsonObject = { ...(entry.detail ?? {}), kind: entry.kind, outcome: entry.outcome };
  if (Object.keys(unfit).length > 0) detail['unfit'] = unfit;
  return { ...row, detail: storableJson(detail) };
}

const isEvent = (entry: AuditEntry): boolean => entry.kind === 'approval' || entry.kind === 'read-audit';

/** The row as it was hashed. Throws when a stored value can't have been written by `toRow`. */
export function fromStored(stored: StoredRecord): AuditRow {
  const row: Record<string, JsonValue> = {};
  for (const name of NAMES) row[name] = fromText(COLUMNS[name], stored[name]);
  return row as AuditRow;
}

function fromText(type: (typeof COLUMNS)[Column], value: string | null): JsonValue {
  if (value === null) return null;
  if (type === 'int') return Number(value);
  if (type === 'boolean') return value === 'true';
  if (type === 'text[]' || type === 'jsonb') return parseExact(value);
  // char(n) pads with blanks; none of its values is shorter than its column.
  return value;
}
