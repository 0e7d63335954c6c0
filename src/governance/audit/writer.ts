/**
 * Appends batches of records to the chain.
 *
 * Guarantees: a batch is in the log whole or not at all; sequence numbers have no gaps; any number of gateways append to one chain, each
 * batch behind the record that was last at that moment; a batch given again after its outcome was unknown (connection lost while
 * committing) is not stored twice. Leaves to others: when to write, and what a failure means for the call (log.ts).
 */
import { sql } from 'drizzle-orm';
import { StorageError } from '../../storage/errors.ts';
import type { Db, Pool } from '../../storage/pool.ts';
import { chainHash } from './chain.ts';
import type { AuditHead } from './entry.ts';
import { type AuditRow, INSERT_COLUMNS, RECORDSET_COLUMNS } from './row.ts';

/** A record on its way, with the place it was last tried at. */
export interface Appendable {
  readonly row: AuditRow;
  /** Set while it is unknown whether the attempt was committed. */
  attempt: AuditHead | null;
}

export interface ChainWriter {
  /**
   * Places of the records, in order. Throws when nothing is known to be stored. After `signal` the batch may be given again, even while
   * this try still hangs: it can then only finish before the new try looks, or not at all.
   */
  append(batch: readonly Appendable[], signal: AbortSignal): Promise<AuditHead[]>;
}

const insert = (json: string) => sql`insert into audit_records (${sql.raw(INSERT_COLUMNS)})
  select ${sql.raw(INSERT_COLUMNS)} from jsonb_to_recordset(${json}::text::jsonb) as r(${sql.raw(RECORDSET_COLUMNS)})`;

export function createChainWriter(pool: Pool): ChainWriter {
  /** Where this process believes the chain ends; null when it has to look. */
  let known: AuditHead | null = null;

  function place(batch: readonly Appendable[], head: AuditHead): { places: AuditHead[]; json: string } {
    const places: AuditHead[] = [];
    const rows: object[] = [];
    let { seq, hash } = head;
    for (const item of batch) {
      const prev = hash;
      seq += 1;
      hash = chainHash(seq, prev, item.row);
      rows.push({ ...item.row, seq, prev_hash: prev, hash });
      places.push((item.attempt = { seq, hash }));
    }
    return { places, json: JSON.stringify(rows) };
  }

  async function appendAtKnownHead(
    batch: readonly Appendable[],
    head: AuditHead,
    signal: AbortSignal,
  ): Promise<AuditHead[] | null> {
    const { places, json } = place(batch, head);
    const last = places.at(-1)!;
    // One statement, one round trip: the update takes the head's row lock, and a head that has moved on inserts nothing.
    const stored = await pool.run(signal, (db) =>
      db.execute(sql`with moved as (
        update audit_head set seq = ${last.seq}, hash = ${last.hash}
        where single and seq = ${head.seq} and hash = ${head.hash} returning 1)
        ${insert(json)} where exists (select from moved)`),
    );
    if (stored.count === 0) return null;
    known = last;
    return places;
  }

  /** Under the head's lock no other commit can be on its way, so what an earlier attempt stored is there or never will be. */
  async function appendLocked(batch: readonly Appendable[], signal: AbortSignal): Promise<AuditHead[]> {
    let before = batch.map((item) => item.attempt);
    try {
      const done = await pool.transaction(signal, {}, async (tx) => {
        const [row] = await tx.execute<StoredHead>(sql`select seq, hash from audit_head where single for update`);
        const head = row ? { seq: Number(row.seq), hash: row.hash } : null;
        if (!head) throw new Error('audit_head holds no row: run the migrations');
        signal.throwIfAborted();
        before = batch.map((item) => item.attempt);
        const stored = await storedAttempts(tx, before);
        const fresh = batch.filter((item) => !item.attempt || !stored.has(item.attempt.seq));
        const found = batch.filter((item) => !fresh.includes(item)).map((item) => [item, item.attempt!] as const);
        if (fresh.length === 0) return { head, places: new Map(found) };
        const { places, json } = place(fresh, head);
        const last = places.at(-1)!;
        await tx.execute(insert(json));
        await tx.execute(sql`update audit_head set seq = ${last.seq}, hash = ${last.hash} where single`);
        return { head: last, places: new Map([...found, ...fresh.map((item, i) => [item, places[i]!] as const)]) };
      });
      known = done.head;
      return batch.map((item) => done.places.get(item)!);
    } catch (error) {
      // An attempt that PostgreSQL answered with an error is known to be undone; the earlier unknown one still counts.
      if (isServerError(error)) for (const [i, item] of batch.entries()) item.attempt = before[i] ?? null;
      throw error;
    }
  }

  return {
    async append(batch, signal) {
      const head = known;
      known = null;
      try {
        if (head && batch.every((item) => item.attempt === null)) {
          const places = await appendAtKnownHead(batch, head, signal);
          if (places) return places;
          signal.throwIfAborted();
          for (const item of batch) item.attempt = null;
        }
      } catch (error) {
        if (isServerError(error)) for (const item of batch) item.attempt = null;
        throw error;
      }
      return appendLocked(batch, signal);
    },
  };
}

type StoredHead = { seq: string | number; hash: string };

async function storedAttempts(tx: Db, attempts: readonly (AuditHead | null)[]): Promise<Set<number>> {
  const unknown = attempts.filter((attempt) => attempt !== null);
  if (unknown.length === 0) return new Set();
  const rows = await tx.execute<StoredHead>(
    sql`select seq, hash from audit_records where seq in ${unknown.map((attempt) => attempt.seq)}`,
  );
  const hashes = new Map(rows.map((row) => [Number(row.seq), row.hash]));
  return new Set(unknown.filter(({ seq, hash }) => hashes.get(seq) === hash).map(({ seq }) => seq));
}

/** PostgreSQL itself answered, so the statement was rolled back; anything else leaves the outcome open. */
const isServerError = (error: unknown): boolean => {
  const state = error instanceof StorageError ? error.sqlstate : undefined;
  // Class 57 is a shutdown in the middle of things; 40003 says that completion is unknown.
  return state !== undefined && !state.startsWith('57') && state !== '40003';
};

/** The record itself is refused (class 22 data, 23 constraint): trying again will not help. */
export const isRefusedRecord = (error: unknown): boolean =>
  error instanceof StorageError && /^2[23]/.test(error.sqlstate ?? '');
