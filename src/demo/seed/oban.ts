import { DAY, type DemoCalendar, HOUR, MINUTE, SECOND } from './calendar.ts';
import { arrayText, type Cell, type Table, table } from './copy.ts';
import { type Random, random } from './prng.ts';
import { HELD_PAYOUT } from './stories.ts';

/** 25 Oban jobs. 9001 and 9002 are the discarded ones of stories 14 and 15. */
const FAILED_IMPORT_JOB = 9001;
const FAILED_PAYOUT_JOB = 9002;
const FIRST_RECONCILIATION = 8970;
const FIRST_DAY = -14;
const NODES = ['app1', 'app2'] as const;

/** The job that ran the reconciliation of a day, D-14 to D-2. */
export const reconciliationJob = (day: number): number => FIRST_RECONCILIATION + day - FIRST_DAY;

interface Job {
  readonly id: number;
  readonly state: 'completed' | 'discarded' | 'retryable' | 'executing' | 'available';
  readonly queue: string;
  readonly worker: string;
  readonly args: Readonly<Record<string, string | number>>;
  readonly attempt: number;
  readonly max: number;
  /** When the last attempt began; for an available job, when it came in. */
  readonly at: number;
  readonly fault?: string;
}

export function obanTable(calendar: DemoCalendar): Table {
  const rng = random('oban');
  const worker = (name: string) => `SettlementCore.Workers.${name}`;
  const { asOf } = calendar;
  const jobs: Job[] = [];
  for (let day = FIRST_DAY; day <= -2; day++) {
    const args = { date: calendar.date(day), run_id: day - FIRST_DAY + 1 };
    const at = calendar.at(day + 1, '03:05');
    jobs.push({
      id: reconciliationJob(day),
      state: 'completed',
      queue: 'reconciliation',
      worker: worker('ReconciliationWorker'),
      args,
      attempt: 1,
      max: 3,
      at,
    });
  }
  for (let i = 0; i < 5; i++) {
    const args = { date: calendar.date(-7 + i), dump_source: 'switch' };
    const at = calendar.at(-6 + i, '00:41');
    jobs.push({
      id: 8990 + i,
      state: 'completed',
      queue: 'imports',
      worker: worker('DumpImportWorker'),
      args,
      attempt: 1,
      max: 20,
      at,
    });
  }
  const day2 = { date: calendar.date(-2) };
  jobs.push(
    {
      id: 8995,
      state: 'retryable',
      queue: 'monitoring',
      worker: worker('SlaMonitorWorker'),
      args: day2,
      attempt: 3,
      max: 20,
      at: asOf - 12 * MINUTE,
      fault: 'connection closed',
    },
    {
      id: 8996,
      state: 'retryable',
      queue: 'risk',
      worker: 'RiskCore.Workers.RuleReplayWorker',
      args: { rule_id: 'VEL-CARD-10M' },
      attempt: 2,
      max: 5,
      at: asOf - 4 * MINUTE,
      fault: 'timeout',
    },
    {
      id: FAILED_IMPORT_JOB,
      state: 'discarded',
      queue: 'imports',
      worker: worker('DumpImportWorker'),
      args: { ...day2, dump_source: 'switch', part: 'supplement' },
      attempt: 20,
      max: 20,
      at: asOf - 7 * HOUR,
      fault: 'file locked',
    },
    {
      id: FAILED_PAYOUT_JOB,
      state: 'discarded',
      queue: 'payouts',
      worker: worker('PayoutReleaseWorker'),
      args: { batch_reference: HELD_PAYOUT.batch },
      attempt: 5,
      max: 5,
      at: asOf - 6 * HOUR,
      fault: 'item on hold',
    },
    {
      id: 9003,
      state: 'discarded',
      queue: 'reports',
      worker: worker('MisReportWorker'),
      args: day2,
      attempt: 10,
      max: 10,
      at: asOf - 5 * HOUR,
      fault: 'template not found',
    },
    {
      id: 9004,
      state: 'executing',
      queue: 'sync',
      worker: worker('CoreTransactionSyncWorker'),
      args: { date: calendar.date(0) },
      attempt: 1,
      max: 20,
      at: asOf - 20 * SECOND,
    },
    {
      id: 9005,
      state: 'available',
      queue: 'reconciliation',
      worker: worker('ReconciliationWorker'),
      args: { date: calendar.date(-1) },
      attempt: 0,
      max: 3,
      at: asOf - 10 * SECOND,
    },
  );
  return table(
    'oban_jobs',
    'id state queue worker args errors attempt max_attempts priority tags meta attempted_by scheduled_at attempted_at completed_at discarded_at inserted_at',
    jobs.map((job) => row(rng, job)),
    'inserted_at',
  );
}

function row(rng: Random, job: Job): Cell[] {
  const { state, attempt, at } = job;
  const ran = attempt > 0;
  const end = at + rng.int(4, 400) * SECOND;
  const inserted = job.fault ? at - Math.min(attempt * attempt * 3 * MINUTE, 2 * DAY) : at - 5 * SECOND;
  const failures = job.fault ? attempt : 0;
  const errors = Array.from({ length: failures }, (_, i) => {
    const when = inserted + Math.floor(((at - inserted) * (i + 1)) / failures);
    return JSON.stringify({
      attempt: i + 1,
      at: new Date(when).toISOString(),
      error: `** (RuntimeError) ${job.fault}`,
    });
  });
  return [
    job.id,
    state,
    job.queue,
    job.worker,
    JSON.stringify(job.args),
    arrayText(errors),
    attempt,
    job.max,
    0,
    '{}',
    '{}',
    ran ? arrayText([rng.pick(NODES), rng.uuid()]) : null,
    new Date(state === 'retryable' ? at + 20 * MINUTE : at),
    ran ? new Date(at) : null,
    state === 'completed' ? new Date(end) : null,
    state === 'discarded' ? new Date(end) : null,
    new Date(inserted),
  ];
}
