/**
 * Checks the whole audit chain.
 *
 * Guarantees: names the first record that was altered, removed, inserted or moved, and a chain that is shorter or longer than its head
 * says; reads one consistent snapshot in chunks, so memory does not grow with the log and appends go on meanwhile.
 * Leaves to others: whoever can write the tables as their owner can recompute everything from some record on. Only a head kept outside
 * the database (`expectHead`, from the gateway's log) shows that.
 */
import { sql } from 'drizzle-orm';
import type { Pool } from '../../storage/pool.ts';
import { CHAIN_START, chainHash } from './chain.ts';
import type { AuditHead } from './entry.ts';
import { fromStored, SELECT_COLUMNS, type StoredRecord } from './row.ts';

export type AuditFault =
  /** The record's content is not what was written. */
  | 'altered'
  /** Records are gone between this place and the next record. */
  | 'missing'
  /** The record stands where another was written, but belongs to this chain. */
  | 'moved'
  /** The record was never appended to this chain. */
  | 'inserted'
  /** The chain ends before its head. */
  | 'truncated'
  /** The chain does not hold the head that the caller expects: it was written anew. */
  | 'rewritten'
  /** The head row is gone. */
  | 'head-missing'
  /** The head row does not name the last record. */
  | 'head-altered';

export interface AuditVerdict {
  readonly ok: boolean;
  /** Records found in order before the fault, or all of them. */
  readonly records: number;
  readonly head: AuditHead;
  readonly firstBad: { readonly seq: number; readonly fault: AuditFault; readonly why: string } | null;
}

export interface VerifyOptions {
  readonly expectHead?: AuditHead;
  readonly chunk?: number;
  readonly signal?: AbortSignal;
}

/** Below every place, so that a record put in front of the first is seen. */
const BEFORE_ALL = '-9223372036854775808';

const WHY: Readonly<Record<AuditFault, string>> = {
  altered: 'the content does not give the stored hash',
  missing: 'there is no record at this place',
  moved: 'the record was written at another place of this chain',
  inserted: 'the record was never part of this chain',
  truncated: 'the chain ends before the head',
  rewritten: 'the hash at this place is not the expected one',
  'head-missing': 'the head row is gone',
  'head-altered': 'the head row does not name the last record',
};

export function verifyAudit(pool: Pool, options: VerifyOptions = {}): Promise<AuditVerdict> {
  return pool.transaction(options.signal, { isolation: 'repeatable read', readOnly: true }, async (tx) => {
    const { expectHead } = options;
    const [stored] = await tx.execute<{ seq: string | number; hash: string }>(
      sql`select seq, hash from audit_head where single`,
    );
    const head = stored ? { seq: Number(stored.seq), hash: stored.hash } : null;
    let last = CHAIN_START;
    let records = 0;
    const bad = (seq: number, fault: AuditFault): AuditVerdict => ({
      ok: false,
      records,
      head: last,
      firstBad: { seq, fault, why: WHY[fault] },
    });

    const size = options.chunk ?? 1_000;
    for (let from = BEFORE_ALL, more = true; more; ) {
      const chunk = await tx.execute<StoredRecord>(
        // By the column: the output `seq` is text.
        sql`select ${sql.raw(SELECT_COLUMNS)} from audit_records where seq > ${from} order by audit_records.seq limit ${size}`,
      );
      for (const record of chunk) {
        const seq = Number(record.seq);
        if (seq > last.seq + 1) return bad(last.seq + 1, 'missing');
        if (seq <= last.seq) return bad(seq, 'inserted');
        const fault = await faultOf(record, seq, last, async (hash) => {
          const [found] = await tx.execute(sql`select 1 from audit_records where hash = ${hash} limit 1`);
          return found !== undefined;
        });
        if (fault) return bad(seq, fault);
        if (head && seq > head.seq) return bad(seq, 'inserted');
        if (expectHead?.seq === seq && expectHead.hash !== record.hash) return bad(seq, 'rewritten');
        last = { seq, hash: record.hash };
        records += 1;
      }
      more = chunk.length === size;
      from = chunk.at(-1)?.seq ?? from;
    }

    if (!head) return bad(last.seq, 'head-missing');
    if (head.seq > last.seq) return bad(last.seq + 1, 'truncated');
    if (head.hash !== last.hash) return bad(last.seq, 'head-altered');
    if (expectHead && expectHead.seq > last.seq) return bad(last.seq + 1, 'truncated');
    return { ok: true, records, head: last, firstBad: null };
  });
}

async function faultOf(
  record: StoredRecord,
  seq: number,
  last: AuditHead,
  isInChain: (hash: string) => Promise<boolean>,
): Promise<AuditFault | null> {
  let row: ReturnType<typeof fromStored>;
  try {
    row = fromStored(record);
  } catch {
    return 'altered';
  }
  const prev = record.prev_hash;
  const hash = record.hash;
  if (prev === last.hash) return chainHash(seq, prev, row) === hash ? null : 'altered';
  // Linked elsewhere: a record of this chain names the hash of another one, a stranger does not.
  if (await isInChain(prev)) return 'moved';
  return chainHash(seq, prev, row) === hash ? 'inserted' : 'altered';
}
