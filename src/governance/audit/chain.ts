/**
 * The hash chain of the audit log.
 *
 * Form (version 1): hash = SHA-256, in lower-case hex, over the UTF-8 text of the record's JSON in the canonical form of RFC 8785
 * (members sorted by UTF-16 code unit, no white space, numbers and strings as ECMAScript writes them, no Unicode normalisation).
 * The object holds every stored column but `hash` under its column name, and `v: 1`. `at` is UTC text with six decimals, `prev_hash`
 * the hash of the record before, 64 zeros for the first. Any RFC 8785 library and SHA-256 can repeat it.
 */
import type { JsonValue } from '../../kit/json.ts';
import { sha256 } from '../../kit/json.ts';
import type { AuditHead } from './entry.ts';
import type { AuditRow } from './row.ts';

export const CHAIN_START: AuditHead = { seq: 0, hash: '0'.repeat(64) };

/** RFC 8785 text. Unlike the digest of arguments it keeps Unicode as it is: a changed spelling of a stored name is a change. */
function canonicalText(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  const keys = Object.keys(value).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalText(value[key] ?? null)}`).join(',')}}`;
}

/** The hash of a record at place `seq` behind the record with `prevHash`. */
export const chainHash = (seq: number, prevHash: string, row: AuditRow): string =>
  sha256(canonicalText({ ...row, v: 1, seq, prev_hash: prevHash }));
