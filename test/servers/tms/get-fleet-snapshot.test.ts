import t from 'tap';
import { getFleetSnapshot as tool } from '../../../src/servers/tms/tools/get-fleet-snapshot.ts';
import { statusLog, terminal } from '../../support/fleet.ts';
import { startPostgres } from '../../support/postgres.ts';
import { toolWorld } from '../../support/tool-runner.ts';

const pg = await startPostgres();
t.teardown(() => pg.stop());
const world = await toolWorld(pg);
t.teardown(() => world.close());
const { owner } = world;

interface Group {
  key: string | null;
  bucket_start: string | null;
  online: number;
  offline: number;
  unknown: number;
  maintenance: number;
  total: number;
  online_ratio: number | null;
}
const groupsOf = async (args: Record<string, unknown>, on = world) =>
  (await on.run(tool, args)).data['groups'] as unknown as Group[];

await terminal(owner, 'A', { vendor: 'Novapos', status: 'offline' });
await terminal(owner, 'B', { vendor: 'Novapos' });
await terminal(owner, 'C', { vendor: 'Kestrel', status: 'maintenance' });
await terminal(owner, 'N', { vendor: null, status: 'unknown' });
await terminal(owner, 'GONE', { status: 'decommissioned' });
await statusLog(owner, 'A', 'online', '2026-01-01T00:00:00Z');
await statusLog(owner, 'A', 'offline', '2026-01-02T10:30:00Z');
await statusLog(owner, 'B', 'online', '2026-01-02T09:00:00Z');
await statusLog(owner, 'C', 'maintenance', '2026-01-01T00:00:00Z');
await statusLog(owner, 'GONE', 'online', '2026-01-01T00:00:00Z');

t.test('the state at the end of the window, by dimension, largest first; no report is unknown', async (t) => {
  const window = { from: '2026-01-02T00:00:00Z', to: '2026-01-02T10:00:00Z' };
  t.same(await groupsOf({ ...window, group_by: 'vendor' }), [
    {
      key: 'Novapos',
      bucket_start: null,
      online: 2,
      offline: 0,
      unknown: 0,
      maintenance: 0,
      total: 2,
      online_ratio: 1,
    },
    {
      key: 'Kestrel',
      bucket_start: null,
      online: 0,
      offline: 0,
      unknown: 0,
      maintenance: 1,
      total: 1,
      online_ratio: 0,
    },
    { key: null, bucket_start: null, online: 0, offline: 0, unknown: 1, maintenance: 0, total: 1, online_ratio: 0 },
  ]);
  t.match(await groupsOf(window), [{ key: null, online: 2, unknown: 1, maintenance: 1, total: 4, online_ratio: 0.5 }]);
  t.match(
    await groupsOf({ ...window, to: '2026-01-02T10:30:00Z' }),
    [{ online: 2 }],
    'half-open: a report at the end is after it',
  );
  t.match(await groupsOf({ ...window, to: '2026-01-02T10:30:00.001Z' }), [{ online: 1, offline: 1 }]);
});

t.test('now is what the registry says', async (t) => {
  const { data, provenance } = await world.run(tool, {});
  t.same(data['now'], { online: 1, offline: 1, unknown: 1, maintenance: 1, total: 4 });
  t.ok(provenance.as_of);
});

t.test('by hour, each terminal keeps its last reported state', async (t) => {
  const groups = await groupsOf({ from: '2026-01-02T08:15:00Z', to: '2026-01-02T11:15:00Z', group_by: 'hour' });
  t.same(
    groups.map((group) => [group.key, group.bucket_start, group.online, group.offline]),
    [
      ['2026-01-02T08:00+00:00', '2026-01-02T08:00:00.000Z', 1, 0],
      ['2026-01-02T09:00+00:00', '2026-01-02T09:00:00.000Z', 2, 0],
      ['2026-01-02T10:00+00:00', '2026-01-02T10:00:00.000Z', 1, 1],
      ['2026-01-02T11:00+00:00', '2026-01-02T11:00:00.000Z', 1, 1],
    ],
  );
  t.ok(groups.every((group) => group.total === 4));
});

t.test('a clock-change day in London has 23 or 25 hour buckets and one day bucket', async (t) => {
  const london = await toolWorld(pg, { timeZone: 'Europe/London', database: world.database });
  t.teardown(() => london.close());
  for (const [day, hours] of [
    ['2026-03-29', 23],
    ['2025-10-26', 25],
    ['2026-06-01', 24],
  ] as const) {
    const byHour = await groupsOf({ from: day, to: day, group_by: 'hour' }, london);
    t.equal(byHour.length, hours, day);
    t.equal(
      new Set(byHour.map((group) => group.key)).size,
      hours,
      'each label once, the doubled hour told apart by its offset',
    );
    const byDay = await groupsOf({ from: day, to: day, group_by: 'day' }, london);
    t.same(
      byDay.map((group) => group.key),
      [day],
    );
  }
});

t.test('90 business dates of day buckets pass in London over the change, hours over 31 days do not', async (t) => {
  const london = await toolWorld(pg, { timeZone: 'Europe/London', database: world.database });
  t.teardown(() => london.close());
  t.equal((await groupsOf({ from: '2025-09-01', to: '2025-11-29', group_by: 'day' }, london)).length, 90);
  t.equal((await groupsOf({ from: '2025-10-01', to: '2025-10-31', group_by: 'hour' }, london)).length, 31 * 24 + 1);
  const error = await world.refusal(tool, { from: '2025-10-01', to: '2025-11-01', group_by: 'hour' });
  t.equal(error.code, 'WINDOW_TOO_LARGE');
  t.match(error.details, { use: 'day', max_days: 31 });
});

t.test('no bucket lies ahead of now', async (t) => {
  const today = new Date().toISOString().slice(0, 10);
  const groups = await groupsOf({ from: today, to: today, group_by: 'hour' });
  t.ok(groups.every((group) => Date.parse(group.bucket_start!) <= Date.now()));
  t.equal(groups.length, new Date().getUTCHours() + 1);
});

t.test('groups over 200 are folded into one, and nobody is lost', async (t) => {
  const many = await toolWorld(pg);
  t.teardown(() => many.close());
  await many.owner`
    insert into tms_terminals (serial_number, area, status, inserted_at, updated_at)
    select 'S' || i, 'area ' || (i % 230), 'online', now(), now() from generate_series(1, 460) i`;
  const groups = await groupsOf({ group_by: 'area' }, many);
  t.equal(groups.length, 201);
  t.match(groups.at(-1), { key: '(other)', total: 60, unknown: 60 });
  t.equal(
    groups.reduce((sum, group) => sum + group.total, 0),
    460,
  );
});

t.test('an empty fleet has no ratio', async (t) => {
  const empty = await toolWorld(pg);
  t.teardown(() => empty.close());
  t.match(await groupsOf({}, empty), [{ key: null, total: 0, online_ratio: null }]);
  t.match(await groupsOf({ group_by: 'vendor' }, empty), []);
  t.match(await groupsOf({ from: '2026-01-01', to: '2026-01-02', group_by: 'day' }, empty), [
    { total: 0 },
    { total: 0, online_ratio: null },
  ]);
});

t.test('arguments that do not fit are refused; two statements', async (t) => {
  for (const args of [{ group_by: 'colour' }, { from: '2026-01-02', to: '2026-01-01' }, { extra: 1 }]) {
    t.equal((await world.refusal(tool, args)).code, 'INVALID_ARGUMENT', JSON.stringify(args));
  }
  t.equal((await world.record(tool, { from: '2026-01-01', to: '2026-01-30', group_by: 'day' })).statements.length, 2);
});
