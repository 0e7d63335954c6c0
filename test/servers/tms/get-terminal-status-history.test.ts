import fc from 'fast-check';
import t from 'tap';
import { wholeSeconds } from '../../../src/servers/tms/status-logs.repository.ts';
import { getTerminalStatusHistory as tool } from '../../../src/servers/tms/tools/get-terminal-status-history.ts';
import { statusLog, terminal } from '../../support/fleet.ts';
import { startPostgres } from '../../support/postgres.ts';
import { toolWorld } from '../../support/tool-runner.ts';

t.setTimeout(120_000);
const pg = await startPostgres();
t.teardown(() => pg.stop());
const world = await toolWorld(pg);
t.teardown(() => world.close());
const { owner } = world;

interface Entry {
  id: number;
  status: string;
  reported_at: string;
}
interface Summary {
  transitions: number;
  online_seconds: number;
  offline_seconds: number;
  maintenance_seconds: number;
  unknown_seconds: number;
  longest_offline: { from: string; to: string; seconds: number } | null;
}
const call = async (args: Record<string, unknown>) => {
  const { data, provenance, warnings } = await world.run(tool, args);
  return {
    entries: data['entries'] as unknown as Entry[],
    summary: data['summary'] as unknown as Summary,
    provenance,
    warnings,
  };
};

t.test('the summary of a window adds up, whatever page or status is asked for', async (t) => {
  await terminal(owner, 'A');
  await statusLog(owner, 'A', 'online', '2026-01-01T00:00:00Z');
  await statusLog(owner, 'A', 'offline', '2026-01-02T06:00:00Z');
  await statusLog(owner, 'A', 'offline', '2026-01-02T07:00:00Z'); // an hourly repeat: the same stretch
  await statusLog(owner, 'A', 'online', '2026-01-02T09:30:00Z');
  await statusLog(owner, 'A', 'maintenance', '2026-01-02T20:00:00Z');
  await statusLog(owner, 'A', 'offline', '2026-01-02T22:00:00Z');
  const window = { serial_number: 'A', from: '2026-01-02', to: '2026-01-02' };
  const { entries, summary, provenance } = await call(window);
  t.same(
    entries.map((entry) => entry.reported_at.slice(11, 16)),
    ['22:00', '20:00', '09:30', '07:00', '06:00'],
  );
  t.same(summary, {
    transitions: 4,
    online_seconds: (6 + 10.5) * 3600,
    offline_seconds: (3.5 + 2) * 3600,
    maintenance_seconds: 2 * 3600,
    unknown_seconds: 0,
    longest_offline: { from: '2026-01-02T06:00:00.000Z', to: '2026-01-02T09:30:00.000Z', seconds: 3.5 * 3600 },
  });
  t.same(provenance.window, { from: '2026-01-02T00:00:00.000Z', to: '2026-01-03T00:00:00.000Z', time_zone: 'UTC' });
  const part = await call({ ...window, status: 'maintenance', limit: 1 });
  t.equal(part.entries.length, 1);
  t.same(part.summary, summary);
});

t.test(
  'before the first report the state is unknown, and the last state runs to the end of the window or to now',
  async (t) => {
    await terminal(owner, 'B');
    await statusLog(owner, 'B', 'offline', '2026-01-02T12:00:00Z');
    const { summary } = await call({ serial_number: 'B', from: '2026-01-02', to: '2026-01-02' });
    t.match(summary, { transitions: 1, unknown_seconds: 43_200, offline_seconds: 43_200, online_seconds: 0 });
    t.match(summary.longest_offline, { from: '2026-01-02T12:00:00.000Z', to: '2026-01-03T00:00:00.000Z' });

    await terminal(owner, 'C');
    await statusLog(owner, 'C', 'online', '-2 h');
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const open = await call({ serial_number: 'C', from: hourAgo, to: ahead });
    t.ok(Math.abs(open.summary.online_seconds - 3600) <= 5, `${open.summary.online_seconds} s, not two hours`);

    await terminal(owner, 'D');
    t.match((await call({ serial_number: 'D', from: '2026-01-02', to: '2026-01-02' })).summary, {
      unknown_seconds: 86_400,
      transitions: 0,
      longest_offline: null,
    });
  },
);

t.test('the parts add up to the length of the window to the second', async (t) => {
  await terminal(owner, 'E');
  const states = ['online', 'offline', 'unknown', 'maintenance', 'decommissioned'];
  for (let i = 0; i < 40; i++) {
    await statusLog(owner, 'E', states[(i * 7) % 5]!, new Date(Date.UTC(2026, 0, 5) + i * 2_345_678.9).toISOString());
  }
  for (const [from, to] of [
    ['2026-01-05T00:00:00Z', '2026-01-06T00:00:00Z'],
    ['2026-01-05T03:21:07.250Z', '2026-01-05T21:00:01.750Z'],
    ['2026-01-04T00:00:00.001Z', '2026-01-05T00:00:00.500Z'],
  ] as const) {
    const { summary } = await call({ serial_number: 'E', from, to });
    const sum =
      summary.online_seconds + summary.offline_seconds + summary.maintenance_seconds + summary.unknown_seconds;
    t.equal(sum, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
  }
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1e13 }), { minLength: 1, maxLength: 5 }), (parts) => {
      const seconds = wholeSeconds(parts);
      const exact = Math.round(parts.reduce((a, b) => a + b, 0) / 1e6);
      return (
        seconds.reduce((a, b) => a + b, 0) === exact && seconds.every((s, i) => Math.abs(s - parts[i]! / 1e6) <= 1)
      );
    }),
  );
});

t.test('501 rows give 500 and a cursor, and the cursor gives 1', async (t) => {
  await terminal(owner, 'F');
  await owner`
    insert into tms_terminal_status_logs (serial_number, status, reported_at, inserted_at, updated_at)
    select 'F', 'online', '2026-02-01'::timestamp + i * interval '1 minute', now(), now() from generate_series(1, 501) i`;
  const window = { serial_number: 'F', from: '2026-02-01', to: '2026-02-01' };
  const first = await call(window);
  t.equal(first.entries.length, 500);
  t.match(first.provenance.caps, { max_rows: 500, returned: 500, truncated: true });
  t.same(
    first.warnings.map((warning) => warning.code),
    ['ROWS_CAPPED'],
  );
  const cursor = first.provenance.caps?.next_cursor;
  const second = await call({ ...window, cursor });
  t.equal(second.entries.length, 1);
  t.match(second.provenance.caps, { returned: 1, truncated: false, next_cursor: null });
  t.equal(new Set([...first.entries, ...second.entries].map((entry) => entry.id)).size, 501);
  t.equal(
    (await world.refusal(tool, { ...window, status: 'online', cursor })).code,
    'INVALID_ARGUMENT',
    'a cursor of other filters',
  );
});

t.test('rows of one instant, and of one millisecond, page without loss', async (t) => {
  await terminal(owner, 'G');
  for (const micros of ['000001', '000001', '000001', '000002', '000999']) {
    await owner.unsafe(
      `insert into tms_terminal_status_logs (serial_number, status, reported_at, inserted_at, updated_at) values ('G', 'online', '2026-03-01 10:00:00.${micros}', now(), now())`,
    );
  }
  const seen: number[] = [];
  let cursor: string | null | undefined;
  for (let i = 0; i < 5; i++) {
    const page = await call({
      serial_number: 'G',
      from: '2026-03-01',
      to: '2026-03-01',
      limit: 1,
      ...(cursor ? { cursor } : {}),
    });
    seen.push(...page.entries.map((entry) => entry.id));
    cursor = page.provenance.caps?.next_cursor;
  }
  t.equal(new Set(seen).size, 5);
  t.equal(cursor, null);
});

t.test('paging without a window keeps the window of the first page', async (t) => {
  await terminal(owner, 'H');
  const edge = new Date(Date.now() - 24 * 3_600_000 + 400).toISOString();
  await statusLog(owner, 'H', 'online', edge);
  await statusLog(owner, 'H', 'offline', '-1 h');
  const first = await call({ serial_number: 'H', limit: 1 });
  await new Promise((resolve) => setTimeout(resolve, 600)); // the default window has moved past the older row
  const second = await call({ serial_number: 'H', limit: 1, cursor: first.provenance.caps?.next_cursor });
  t.same(
    second.entries.map((entry) => entry.status),
    ['online'],
  );
  t.same(second.provenance.window, first.provenance.window);
});

t.test('the window: exactly 90 days, and what is refused', async (t) => {
  const from = '2026-01-01T00:00:00Z';
  t.ok(await call({ serial_number: 'A', from, to: '2026-04-01T00:00:00Z' }));
  t.equal(
    (await world.refusal(tool, { serial_number: 'A', from, to: '2026-04-01T00:00:01Z' })).code,
    'WINDOW_TOO_LARGE',
  );
  for (const args of [
    { from: '2026-01-01T00:00:00' },
    { from: 'yesterday' },
    { from: '2026-01-02', to: '2026-01-01' },
    { limit: 0 },
    { limit: 501 },
    { limit: 1.5 },
    { status: 'ONLINE' },
    { cursor: 'AAAA' },
    { cursor: '' },
    { since: '2026-01-01' },
  ]) {
    t.equal(
      (await world.refusal(tool, { serial_number: 'A', ...args })).code,
      'INVALID_ARGUMENT',
      JSON.stringify(args),
    );
  }
});

t.test('a serial with a log but without a terminal is not found', async (t) => {
  await statusLog(owner, 'GHOST', 'online', '-1 h');
  t.equal((await world.refusal(tool, { serial_number: 'GHOST' })).code, 'NOT_FOUND');
});

t.test('a business day is the day of the configured zone', async (t) => {
  const dubai = await toolWorld(pg, { timeZone: 'Asia/Dubai', cutover: '02:00', database: world.database });
  t.teardown(() => dubai.close());
  const { provenance } = await dubai.run(tool, { serial_number: 'A', from: '2026-01-02', to: '2026-01-02' });
  t.same(provenance.window, {
    from: '2026-01-01T22:00:00.000Z',
    to: '2026-01-02T22:00:00.000Z',
    time_zone: 'Asia/Dubai',
  });
});

t.test('two statements', async (t) => {
  t.equal(
    (await world.record(tool, { serial_number: 'F', from: '2026-02-01', to: '2026-02-01' })).statements.length,
    2,
  );
});
