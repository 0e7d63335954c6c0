import t from 'tap';
import { getPushOutcomeStats as tool } from '../../../src/servers/tms/tools/get-push-outcome-stats.ts';
import { push, terminal } from '../../support/fleet.ts';
import { startPostgres } from '../../support/postgres.ts';
import { toolWorld } from '../../support/tool-runner.ts';

const pg = await startPostgres();
t.teardown(() => pg.stop());
const world = await toolWorld(pg);
t.teardown(() => world.close());
const { owner } = world;
type Row = Record<string, number | null> & { key: Record<string, string | number | null> };
const stats = async (args: Record<string, unknown>, on = world) => {
  const answer = await on.run(tool, args);
  return {
    ...answer,
    rows: answer.data['rows'] as unknown as Row[],
    totals: answer.data['totals'] as Record<string, number | null>,
  };
};

await terminal(owner, 'A', { vendor: 'Novapos', group_name: 'pilot' });
await terminal(owner, 'B', { vendor: 'Kestrel', group_name: 'north' });
const at = '2026-01-02T10:00:00Z';
const end = (seconds: number) => new Date(Date.parse(at) + seconds * 1000).toISOString();
for (const seconds of [10, 20, 30, 40, 50]) await push(owner, 'A', { requested_at: at, completed_at: end(seconds) });
await push(owner, 'A', { requested_at: at, completed_at: end(9999), status: 'failed', error_code: 'E_X' });
await push(owner, 'B', { requested_at: at, status: 'expired', config_type: 'emv_config' });
await push(owner, 'B', { requested_at: at, status: 'superseded', config_type: 'emv_config' });
await push(owner, 'B', { requested_at: at, status: 'queued', config_type: 'emv_config' });
await push(owner, 'UNREGISTERED', { requested_at: at, status: 'in_progress', config_type: 'application' });
const filters = { from: '2026-01-02', to: '2026-01-02' };

t.test('rates and durations: pending and superseded do not count, durations are of succeeded pushes', async (t) => {
  const { rows, totals } = await stats({ filters });
  t.same(rows, [
    {
      key: { config_type: 'parameter' },
      total: 6,
      succeeded: 5,
      failed: 1,
      expired: 0,
      superseded: 0,
      pending: 0,
      success_rate: 0.8333,
      p50_ms: 30_000,
      p95_ms: 48_000,
    },
    {
      key: { config_type: 'emv_config' },
      total: 3,
      succeeded: 0,
      failed: 0,
      expired: 1,
      superseded: 1,
      pending: 1,
      success_rate: 0,
      p50_ms: null,
      p95_ms: null,
    },
    {
      key: { config_type: 'application' },
      total: 1,
      succeeded: 0,
      failed: 0,
      expired: 0,
      superseded: 0,
      pending: 1,
      success_rate: null,
      p50_ms: null,
      p95_ms: null,
    },
  ]);
  t.match(totals, { total: 10, succeeded: 5, failed: 1, expired: 1, superseded: 1, pending: 2, success_rate: 0.7143 });
});

t.test('groups by several dimensions; a push of an unregistered terminal has a null key', async (t) => {
  const { rows } = await stats({ filters, group_by: ['vendor', 'group'] });
  t.same(
    rows.map((row) => [row.key, row['total']]),
    [
      [{ vendor: 'Novapos', group: 'pilot' }, 6],
      [{ vendor: 'Kestrel', group: 'north' }, 3],
      [{ vendor: null, group: null }, 1],
    ],
  );
  t.same((await stats({ filters, group_by: [] })).rows, []);
  t.same(
    (await stats({ filters, group_by: ['error_code'] })).rows.map((row) => row.key),
    [{ error_code: null }, { error_code: 'E_X' }],
  );
});

t.test('filters narrow it', async (t) => {
  t.match((await stats({ filters: { ...filters, vendor: 'Kestrel' } })).totals, { total: 3 });
  t.match((await stats({ filters: { ...filters, group: ['pilot', 'south'] } })).totals, { total: 6 });
  t.match(
    (await stats({ filters: { ...filters, version: '4.2.0', config_type: ['parameter', 'application'] } })).totals,
    { total: 7 },
  );
  t.match((await stats({ filters: { ...filters, trigger_source: 'mcp' } })).totals, { total: 0, success_rate: null });
  t.match((await stats({ filters: { ...filters, template_id: 1 } })).totals, { total: 0 });
  t.match((await stats({ filters: { ...filters, vendor: "x' OR '1'='1" } })).totals, { total: 0 });
  t.match((await stats({})).totals, { total: 0 }, 'the last 7 days');
});

t.test('a day is a business day, over a clock change too', async (t) => {
  const london = await toolWorld(pg, { timeZone: 'Europe/London', cutover: '01:30' });
  t.teardown(() => london.close());
  // 2026-03-29: the cut-over 01:30 does not exist; the business day begins at 01:00 UTC.
  for (const time of ['2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z', '2026-03-30T00:29:59Z', '2026-03-30T00:30:00Z']) {
    await push(london.owner, 'A', { requested_at: time });
  }
  const { rows } = await stats({ filters: { from: '2026-03-28', to: '2026-03-30' }, group_by: ['day'] }, london);
  t.same(
    rows.map((row) => [row.key['day'], row['total']]),
    [
      ['2026-03-29', 2],
      ['2026-03-28', 1],
      ['2026-03-30', 1],
    ],
  );
});

t.test('more than 500 groups: the largest 500, and totals of all', async (t) => {
  const many = await toolWorld(pg);
  t.teardown(() => many.close());
  await many.owner`
    insert into parameter_push_logs (serial_number, config_type, version, status, trigger_source, requested_at, inserted_at, updated_at)
    select 'A', 'parameter', i::text, 'succeeded', 'portal', ${at}::timestamptz at time zone 'utc', now(), now() from generate_series(1, 501) i, generate_series(1, case when i = 7 then 3 else 1 end)`;
  const { rows, totals, provenance, warnings } = await stats({ filters, group_by: ['version'] }, many);
  t.equal(rows.length, 500);
  t.same(rows[0]!.key, { version: '7' });
  t.equal(totals['total'], 503);
  t.match(provenance.caps, { returned: 500, truncated: true, next_cursor: null });
  t.same(
    warnings.map((warning) => warning.code),
    ['ROWS_CAPPED'],
  );
});

t.test('arguments that do not fit are refused; two statements', async (t) => {
  for (const args of [
    { group_by: ['colour'] },
    { group_by: ['day', 'day'] },
    { group_by: ['vendor', 'model', 'area', 'group'] },
    { group_by: 'vendor' },
    { filters: { to: '2026-01-01', from: '2026-01-02' } },
    { filters: { vendor: [] } },
    { filters: { colour: 'red' } },
    { filters: { template_id: 0 } },
  ]) {
    t.equal((await world.refusal(tool, args)).code, 'INVALID_ARGUMENT', JSON.stringify(args));
  }
  t.equal((await world.refusal(tool, { filters: { from: '2026-01-01', to: '2026-04-01' } })).code, 'WINDOW_TOO_LARGE');
  t.equal((await world.record(tool, { filters, group_by: ['vendor', 'day'] })).statements.length, 2);
});
