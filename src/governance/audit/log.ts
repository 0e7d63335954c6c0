/**
 * The audit log as the gates use it.
 *
 * Guarantees: `write` settles only when its record is committed to the hash chain or is not known to be (then it rejects and the caller
 * must refuse to act); queued records are stored in order, many an insert, and are tried again while the store is down; the queue is
 * bounded, and every record that could not be kept is counted, logged and reported, never dropped silently.
 * A rejected write can still be in the log when the connection broke while committing: `started` without an effect is harmless and
 * reconciliation completes it.
 * Leaves to others: what goes into a record (call.ts), taking card data out of it (redaction), telling tampering (verify.ts), and keeping
 * a copy of the chain's head elsewhere: it is logged every minute for that purpose, since whoever owns the database could rewrite all of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../../storage/pool.ts';
import { type AuditEntry, type AuditHead, AuditUnavailable } from './entry.ts';
import { toRow } from './row.ts';
import { type Appendable, createChainWriter, isRefusedRecord } from './writer.ts';

/** The part of the product's log that is used here. */
export interface AuditLogger {
  info(message: string, fields: Record<string, unknown>): void;
  error(message: string, fields: Record<string, unknown>): void;
}

export interface AuditMetrics {
  stored(records: number): void;
  /** A batch that could not be stored; its queued records are tried again. */
  failed(): void;
  lost(records: number): void;
}

export interface AuditLogOptions {
  /** The gateway's own database, by the role that may INSERT and SELECT audit_records, and SELECT and UPDATE audit_head. */
  readonly pool: Pool;
  readonly log: AuditLogger;
  readonly metrics?: AuditMetrics;
  /** `all`: `queue` waits for the commit and rejects when there is none. `writes`: it settles at once and a loss is reported. */
  readonly strict: 'writes' | 'all';
  /** Told of every record that will never be stored. */
  readonly onLost?: (entry: AuditEntry, reason: 'queue-full' | 'refused' | 'closed') => void;
  /** Longest time that a queued record waits for company, ms. */
  readonly windowMs?: number;
  readonly maxBatch?: number;
  readonly maxQueued?: number;
  /** After this a write rejects, ms. */
  readonly writeTimeoutMs?: number;
  /** After this a batch counts as failed, ms. */
  readonly appendTimeoutMs?: number;
  /** How long `close` tries to store what is left, ms. */
  readonly closeTimeoutMs?: number;
  /** How often a moved head is logged, ms. */
  readonly anchorEveryMs?: number;
}

export interface AuditLog {
  /** Stores one record and waits for the commit. Rejects with AuditUnavailable. */
  write(entry: AuditEntry): Promise<AuditHead>;
  queue(entry: AuditEntry): Promise<void>;
  /** Settles when everything handed over before is stored or lost. */
  flush(): Promise<void>;
  /** Stores what is left, within a limit, and takes nothing more. */
  close(): Promise<void>;
  readonly queued: number;
}

interface Pending extends Appendable {
  readonly entry: AuditEntry;
  /** Someone waits: no window, and a failure is told instead of tried again. */
  readonly waited: boolean;
  /** Does not want the window cut short (reads under `strict: all`). */
  readonly patient: boolean;
  readonly settled: Promise<AuditHead>;
  resolve(place: AuditHead): void;
  reject(error: Error): void;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

export function createAuditLog(options: AuditLogOptions): AuditLog {
  const { pool, log, metrics, strict } = options;
  const windowMs = options.windowMs ?? 4;
  const maxBatch = options.maxBatch ?? 256;
  const maxQueued = options.maxQueued ?? 20_000;
  const writeTimeoutMs = options.writeTimeoutMs ?? 5_000;
  const appendTimeoutMs = options.appendTimeoutMs ?? 8_000;
  const closeTimeoutMs = options.closeTimeoutMs ?? 10_000;
  const writer = createChainWriter(pool);

  const waiting: Pending[] = [];
  const inFlight = new Set<Pending>();
  let urgent = 0;
  let pause = 0;
  let running: Promise<void> | null = null;
  let wake: () => void = () => {};
  let closed = false;
  let draining = false;
  let abandoned = false;
  let head: AuditHead | null = null;
  let anchored = 0;

  const anchor = () => {
    if (head === null || head.seq === anchored) return;
    anchored = head.seq;
    log.info('audit head', { seq: head.seq, hash: head.hash });
  };
  const anchorTimer = setInterval(anchor, options.anchorEveryMs ?? 60_000);
  anchorTimer.unref();

  function lose(pending: Pending, reason: 'queue-full' | 'refused' | 'closed'): void {
    metrics?.lost(1);
    const { callId, requestId, kind, server, tool, outcome } = pending.entry;
    log.error('audit record lost', { reason, callId, requestId, kind, server, tool, outcome });
    options.onLost?.(pending.entry, reason);
  }

  function hand(entry: AuditEntry, waited: boolean, patient: boolean): Pending {
    let resolve!: (place: AuditHead) => void;
    let reject!: (error: Error) => void;
    const settled = new Promise<AuditHead>((yes, no) => {
      resolve = yes;
      reject = no;
    });
    // Waiters await `settled` themselves; a queued record has none.
    settled.catch(() => {});
    const pending = { entry, row: toRow(entry), attempt: null, waited, patient, settled, resolve, reject };
    if (closed) {
      reject(new AuditUnavailable('the audit log is closed'));
      if (!waited) lose(pending, 'closed');
      return pending;
    }
    if (waiting.length >= maxQueued) {
      reject(new AuditUnavailable('the audit queue is full'));
      if (!waited) lose(pending, 'queue-full');
      return pending;
    }
    waiting.push(pending);
    if (waited && !patient) {
      urgent += 1;
      wake();
    } else if (waiting.length >= maxBatch && pause === 0) wake();
    running ??= pump();
    return pending;
  }

  async function timed(pending: Pending): Promise<AuditHead> {
    const timer = setTimeout(() => {
      const at = waiting.indexOf(pending);
      if (at >= 0) {
        waiting.splice(at, 1);
        if (!pending.patient) urgent -= 1;
      }
      pending.reject(new AuditUnavailable('the audit store did not answer in time'));
    }, writeTimeoutMs);
    try {
      return await pending.settled;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Runs while there is something to store: batches go back to back, so what comes in during one commit shares the next. */
  async function pump(): Promise<void> {
    await null;
    while (waiting.length > 0) {
      const wait = pause > 0 ? pause : waiting.length < maxBatch ? windowMs : 0;
      if (urgent === 0 && !draining && wait > 0) await pauseOrWake(wait);
      const batch = waiting.splice(0, maxBatch);
      for (const pending of batch) {
        inFlight.add(pending);
        if (pending.waited && !pending.patient) urgent -= 1;
      }
      await store(batch);
      if (pause > 0 && draining) await sleep(FIRST_PAUSE_MS);
    }
    // In the same step as the last look at the queue, or a record handed over in between would wait for nobody.
    running = null;
  }

  async function pauseOrWake(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    wake = () => {};
  }

  async function append(batch: Pending[]): Promise<AuditHead[]> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), appendTimeoutMs);
    const aborted = new Promise<never>((_, reject) => {
      limit.signal.addEventListener('abort', () =>
        reject(new AuditUnavailable('the audit store did not answer in time')),
      );
    });
    try {
      return await Promise.race([writer.append(batch, limit.signal), aborted]);
    } finally {
      clearTimeout(timer);
    }
  }

  async function store(batch: Pending[]): Promise<void> {
    try {
      const places = await append(batch);
      pause = 0;
      head = places.reduce((a, b) => (a.seq > b.seq ? a : b));
      metrics?.stored(batch.length);
      for (const [i, pending] of batch.entries()) {
        inFlight.delete(pending);
        pending.resolve(places[i]!);
      }
    } catch (error) {
      await fail(batch, error);
    }
  }

  async function fail(batch: Pending[], error: unknown): Promise<void> {
    metrics?.failed();
    if (isRefusedRecord(error)) {
      // One bad record must not hold up the others: halve until it stands alone.
      if (batch.length > 1) {
        const half = Math.ceil(batch.length / 2);
        await store(batch.slice(0, half));
        await store(batch.slice(half));
        return;
      }
      const [pending] = batch;
      inFlight.delete(pending!);
      pending!.reject(new AuditUnavailable('the audit store refused the record', error));
      if (!pending!.waited) lose(pending!, 'refused');
      return;
    }
    if (pause === 0) log.error('audit store unavailable', { error, records: batch.length });
    pause = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, pause * 2));
    // `close` has given up and reported these.
    if (abandoned) return;
    const again: Pending[] = [];
    for (const pending of batch) {
      inFlight.delete(pending);
      if (pending.waited) pending.reject(new AuditUnavailable('the audit store is not available', error));
      else again.push(pending);
    }
    waiting.unshift(...again);
  }

  return {
    write: (entry) => timed(hand(entry, true, false)),
    async queue(entry) {
      const pending = hand(entry, strict === 'all', strict === 'all');
      if (strict === 'all') await timed(pending);
    },
    async flush() {
      await Promise.allSettled([...inFlight, ...waiting].map((pending) => pending.settled));
    },
    async close() {
      if (closed) return;
      closed = true;
      draining = true;
      wake();
      const drained = running ?? Promise.resolve();
      const limit = new AbortController();
      await Promise.race([drained, sleep(closeTimeoutMs, undefined, { signal: limit.signal }).catch(() => {})]);
      limit.abort();
      abandoned = true;
      // Records of a commit that is still on its way are counted as lost too: nobody will learn how it ended.
      for (const pending of [...inFlight, ...waiting.splice(0)]) {
        pending.reject(new AuditUnavailable('the audit log is closed'));
        if (!pending.waited) lose(pending, 'closed');
      }
      clearInterval(anchorTimer);
      anchor();
    },
    get queued() {
      return waiting.length;
    },
  };
}
