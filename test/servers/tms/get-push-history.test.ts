import t from 'tap';
import { getPushHistory as tool } from '../../../src/servers/tms/tools/get-push-history.ts';
import { push, pushEvent, template, terminal } from '../../support/fleet.ts';
import { startPostgres } from '../../support/postgres.ts';
import { toolWorld } from '../../support/tool-runner.ts';

const pg = await startPostgres();
t.teardown(() => pg.stop());
const world = await toolWorld(pg);
t.teardown(() => world.close());
const { owner } = world;
interface Push {
  id: number;
  serial_number: string;
  status: string;
  error_message: string | null;
  details: { seq: number; event: string; message: string | null }[];
}
const history = async (args: Record<string, unknown>) => {
  const answer = await world.run(tool, args);
  return { ...answer, pushes: answer.data['pushes'] as unknown as Push[] };
};

await terminal(owner, 'A');
await terminal(owner, 'B');
const standard = await template(owner, { name: 'N5 standard' });
const done = await push(owner, 'A', {
  template_id: standard,
  requested_at: '2026-01-02T10:00:00.000Z',
  completed_at: '2026-01-02T10:00:12.345Z',
});
await pushEvent(owner, done, 1, 'queued', { event_at: '2026-01-02T10:00:00Z' });
await pushEvent(owner, done, 2, 'succeeded', { event_at: '2026-01-02T10:00:12Z', message: 'done' });
const failed = await push(owner, 'A', {
  status: 'failed',
  config_type: 'emv_config',
  requested_at: '2026-01-02T11:00:00Z',
  error_code: 'E_STORAGE_FULL',
  error_message: 'no space',
});
await push(owner, 'B', { template_id: standard, requested_at: '2026-01-02T12:00:00Z' });
const day = { from: '2026-01-02', to: '2026-01-02' };

t.test('the pushes of a terminal, newest first, with their events in order', async (t) => {
  const { pushes, provenance } = await history({ serial_number: 'A', ...day });
  t.same(
    pushes.map((row) => row.id),
    [failed, done],
  );
  t.same(pushes[1], {
    id: done,
    serial_number: 'A',
    template_id: standard,
    template_name: 'N5 standard',
    config_type: 'parameter',
    version: '4.2.0',
    status: 'succeeded',
    trigger_source: 'portal',
    requested_by: 'operator',
    requested_at: '2026-01-02T10:00:00.000Z',
    completed_at: '2026-01-02T10:00:12.345Z',
    duration_ms: 12_345,
    error_code: null,
    error_message: null,
    details: [
      { seq: 1, event: 'queued', message: null, event_at: '2026-01-02T10:00:00.000Z' },
      { seq: 2, event: 'succeeded', message: 'done', event_at: '2026-01-02T10:00:12.000Z' },
    ],
  });
  t.match(pushes[0], { error_code: 'E_STORAGE_FULL', error_message: 'no space', details: [], duration_ms: null });
  t.match(provenance.sources, [
    { object: 'parameter_push_logs', rows: 2 },
    { object: 'push_details', rows: 2 },
  ]);
});

t.test('the pushes of a template, and filters', async (t) => {
  t.same(
    (await history({ template_id: standard, ...day })).pushes.map((row) => row.serial_number),
    ['B', 'A'],
  );
  t.same(
    (await history({ serial_number: 'A', ...day, status: 'failed' })).pushes.map((row) => row.id),
    [failed],
  );
  t.same(
    (await history({ serial_number: 'A', ...day, config_type: 'parameter' })).pushes.map((row) => row.id),
    [done],
  );
  t.same((await history({ serial_number: 'A' })).pushes, [], 'nothing in the last 24 hours');
  t.same((await history({ template_id: 999, ...day })).pushes, []);
  t.equal((await world.refusal(tool, { serial_number: 'nobody', ...day })).code, 'NOT_FOUND');
});

t.test('exactly one of serial number and template', async (t) => {
  for (const args of [
    { ...day },
    { serial_number: 'A', template_id: standard, ...day },
    { template_id: 0 },
    { template_id: 1.5 },
    { template_id: '1' },
    { serial_number: 'A', status: 'lost' },
    { serial_number: 'A', config_type: 'keys' },
    { serial_number: 'A', limit: 501 },
    { serial_number: 'A', include_details: 'yes' },
  ]) {
    t.equal((await world.refusal(tool, args)).code, 'INVALID_ARGUMENT', JSON.stringify(args));
  }
});

t.test(
  'the newest 50 events of a push, and messages cut at 500 characters without splitting a card number',
  async (t) => {
    await terminal(owner, 'C');
    const long = await push(owner, 'C', {
      requested_at: '2026-01-02T10:00:00Z',
      error_message: `${'x'.repeat(490)} 4111111111111111 tail`,
    });
    for (let seq = 1; seq <= 60; seq++) await pushEvent(owner, long, seq, 'downloading', { message: 'm'.repeat(600) });
    const [row] = (await history({ serial_number: 'C', ...day })).pushes;
    t.same(
      row!.details.map((event) => event.seq),
      Array.from({ length: 50 }, (_, i) => i + 11),
    );
    t.equal(row!.details[0]!.message!.length, 500);
    t.notMatch(row!.error_message, /\d/);
    t.same((await history({ serial_number: 'C', ...day, include_details: false })).pushes[0]!.details, []);
  },
);

t.test('pages meet without loss', async (t) => {
  await terminal(owner, 'P');
  for (let i = 0; i < 7; i++) await push(owner, 'P', { requested_at: '2026-01-03T10:00:00Z' });
  const seen: number[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await history({
      serial_number: 'P',
      from: '2026-01-03',
      to: '2026-01-03',
      limit: 3,
      ...(cursor ? { cursor } : {}),
    });
    seen.push(...page.pushes.map((row) => row.id));
    cursor = page.provenance.caps?.next_cursor;
  } while (cursor);
  t.equal(new Set(seen).size, 7);
  t.same(
    seen,
    [...seen].sort((a, b) => b - a),
  );
});

t.test('two statements however many pushes; the payload of an event is never read', async (t) => {
  const { statements } = await world.record(tool, { serial_number: 'P', from: '2026-01-03', to: '2026-01-03' });
  t.equal(statements.length, 2);
  t.notMatch(statements.map((statement) => statement.text).join(), /payload|\*\s+from/);
});
