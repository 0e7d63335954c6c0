/** Oban's jobs. The two discarded ones of the stories have fixed ids. */
import { type DemoCalendar, HOUR, iso, MINUTE } from './calendar.ts';
import { Prng } from './prng.ts';
import { arrayLiteral, type Row, type TableRows, tableOf } from './rows.ts';

interface Job {
  readonly state: string;
  readonly queue: string;
  readonly worker: string;
  readonly attempt: number;
  readonly max: number;
  readonly args: Record<string, string>;
  readonly error?: string;
}

export function obanTables(calendar: DemoCalendar): TableRows[] {
  const prng = new Prng('oban');
  const D1 = calendar.date(1);
  const jobs: Job[] = [
    {
      state: 'discarded',
      queue: 'dumps',
      worker: 'SettlementCore.Workers.DumpImportWorker',
      attempt: 20,
      max: 20,
      args: { date: D1, source: 'switch' },
      error:
        '** (RuntimeError) file locked\n    (settlement_core) lib/dump_import.ex:88: SettlementCore.DumpImport.open/1',
    },
    {
      state: 'discarded',
      queue: 'payouts',
      worker: 'SettlementCore.Workers.PayoutReleaseWorker',
      attempt: 3,
      max: 3,
      args: { batch: 'PB-DEMO-07' },
      error: '** (RuntimeError) the batch holds an item that is on hold',
    },
    {
      state: 'discarded',
      queue: 'risk',
      worker: 'RiskCore.Workers.RuleStatsWorker',
      attempt: 5,
      max: 5,
      args: { date: D1 },
      error: '** (DBConnection.ConnectionError) tcp recv: closed',
    },
    {
      state: 'retryable',
      queue: 'dumps',
      worker: 'SettlementCore.Workers.DumpImportWorker',
      attempt: 4,
      max: 20,
      args: { date: D1, source: 'qrlink' },
      error: '** (File.Error) could not read file: no such file or directory',
    },
    {
      state: 'retryable',
      queue: 'sync',
      worker: 'SettlementCore.Workers.CoreTransactionSyncWorker',
      attempt: 1,
      max: 10,
      args: { date: calendar.date(0) },
      error: '** (DBConnection.ConnectionError) connection not available within 15000 ms',
    },
    {
      state: 'executing',
      queue: 'sync',
      worker: 'SettlementCore.Workers.CoreTransactionSyncWorker',
      attempt: 1,
      max: 10,
      args: { date: calendar.date(0) },
    },
    {
      state: 'available',
      queue: 'sla',
      worker: 'SettlementCore.Workers.SlaMonitorWorker',
      attempt: 0,
      max: 3,
      args: {},
    },
    ...Array.from({ length: 18 }, (_, i): Job => {
      const worker =
        ['SlaMonitorWorker', 'CoreTransactionSyncWorker', 'ReconciliationWorker'][i % 3] ?? 'SlaMonitorWorker';
      return {
        state: 'completed',
        queue: ['sla', 'sync', 'reconciliation'][i % 3] ?? 'sla',
        worker: `SettlementCore.Workers.${worker}`,
        attempt: 1,
        max: 10,
        args: { date: D1 },
      };
    }),
  ];
  return [
    tableOf(
      'oban_jobs',
      jobs.map((job, i) => rowOf(job, 9001 + i, calendar, prng)),
    ),
  ];
}

function rowOf(job: Job, id: number, calendar: DemoCalendar, prng: Prng): Row {
  const started = calendar.asOf - (job.state === 'completed' ? prng.int(1, 20) * MINUTE : prng.int(2, 9) * HOUR);
  const ended = started + prng.int(1, 50) * 1000;
  const waits = job.state === 'available';
  const error = job.error && JSON.stringify({ attempt: job.attempt, at: iso(ended), error: job.error });
  return {
    id,
    state: job.state,
    queue: job.queue,
    worker: job.worker,
    args: JSON.stringify(job.args),
    meta: '{}',
    tags: '{}',
    errors: error ? arrayLiteral([error]) : '{}',
    attempt: job.attempt,
    max_attempts: job.max,
    priority: 0,
    inserted_at: iso(started - 60_000),
    scheduled_at: iso(job.state === 'retryable' ? calendar.asOf + 10 * MINUTE : started),
    attempted_at: waits ? null : iso(started),
    completed_at: job.state === 'completed' ? iso(ended) : null,
    discarded_at: job.state === 'discarded' ? iso(ended) : null,
    cancelled_at: null,
    attempted_by: waits ? null : arrayLiteral(['app1@demo', prng.uuid()]),
  };
}
