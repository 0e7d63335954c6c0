import t from 'tap';
import { getTerminal } from '../../../src/servers/tms/tools/get-terminal.ts';
import { fingerprint, push, terminal } from '../../support/fleet.ts';
import { startPostgres } from '../../support/postgres.ts';
import { toolWorld } from '../../support/tool-runner.ts';

const pg = await startPostgres();
t.teardown(() => pg.stop());
const world = await toolWorld(pg);
t.teardown(() => world.close());
const { owner } = world;
const get = async (serial: string) =>
  (await world.run(getTerminal, { serial_number: serial })).data['terminal'] as Record<string, unknown>;

await terminal(owner, 'NV5-1', { last_seen_at: '2026-01-31T08:00:00.123456Z', status: 'offline' });
await terminal(owner, '端末-0007');
await terminal(owner, 'Caf\u00e9-1');
await terminal(owner, 'BARE', {
  vendor: null,
  model: null,
  area: null,
  mid: null,
  last_seen_at: null,
  app_version: null,
  battery_level: null,
  latitude: null,
});

t.test('one terminal with everything that is known about it', async (t) => {
  const answer = await world.run(getTerminal, { serial_number: 'NV5-1' });
  const found = answer.data['terminal'] as Record<string, unknown>;
  t.match(found, {
    serial_number: 'NV5-1',
    vendor: 'Novapos',
    group: 'north',
    status: 'offline',
    last_seen_at: '2026-01-31T08:00:00.123Z',
    stale: false,
    battery_level: 80,
    signal_dbm: -70,
    location: { lat: 25.205, lon: 55.271 },
    open_push: null,
    open_log_session_id: null,
  });
  t.ok((found['seconds_since_seen'] as number) > 0);
  t.match(answer.provenance, { as_of: /^\d{4}-.*Z$/, sources: [{ object: 'tms_terminals', rows: 1 }, {}, {}] });
  t.same(answer.warnings, []);
  t.equal('id' in found, false);
});

t.test('a serial of any script works, in either Unicode spelling, and spaces around it do not matter', async (t) => {
  t.equal((await get('端末-0007'))['serial_number'], '端末-0007');
  t.equal((await get('Cafe\u0301-1'))['serial_number'], 'Caf\u00e9-1');
  t.equal((await get('NV5-1  '))['serial_number'], 'NV5-1');
});

t.test('a serial that nobody has is not found, whatever it looks like', async (t) => {
  for (const serial of ['nope', "' OR 1=1 --", 'nv5-1', 'NV5-', '%', "'; drop table tms_terminals; --"]) {
    const error = await world.refusal(getTerminal, { serial_number: serial });
    t.equal(error.code, 'NOT_FOUND', serial);
    t.same(error.details, { serial_number: serial });
  }
});

t.test('arguments that do not fit are refused', async (t) => {
  for (const args of [
    {},
    { serial_number: '' },
    { serial_number: 5 },
    { serial_number: 'x'.repeat(65) },
    { serial_number: 'A+B/#' },
    { serial_number: 'NV5-1', extra: 1 },
  ]) {
    t.equal((await world.refusal(getTerminal, args)).code, 'INVALID_ARGUMENT', JSON.stringify(args));
  }
});

t.test('a terminal that says online and has been silent is stale; what is missing is null', async (t) => {
  await terminal(owner, 'STALE', { last_seen_at: '-901 s' });
  await terminal(owner, 'FRESH', { last_seen_at: '-890 s' });
  await terminal(owner, 'AHEAD', { last_seen_at: new Date(Date.now() + 60_000).toISOString() });
  const stale = await world.run(getTerminal, { serial_number: 'STALE' });
  t.same(
    stale.warnings.map((warning) => warning.code),
    ['STALE_DATA'],
  );
  t.equal((stale.data['terminal'] as Record<string, unknown>)['stale'], true);
  t.equal((await get('FRESH'))['stale'], false);
  t.equal((await get('AHEAD'))['seconds_since_seen'], 0);
  t.match(await get('BARE'), {
    vendor: null,
    mid: null,
    seconds_since_seen: null,
    stale: false,
    battery_level: null,
    location: null,
  });
});

t.test('the newest push that is not final, and the open log session', async (t) => {
  await terminal(owner, 'BUSY');
  await push(owner, 'BUSY', { status: 'queued', requested_at: '-3 h' });
  const open = await push(owner, 'BUSY', { status: 'in_progress', requested_at: '-2 h', version: '4.3.0' });
  await push(owner, 'BUSY', { status: 'failed', requested_at: '-1 h' });
  const session = crypto.randomUUID();
  await owner`insert into remote_log_sessions (id, serial_number, requested_by, status, log_level, started_at, expires_at, bytes_received, inserted_at, updated_at)
    values (${session}, 'BUSY', 'x', 'active', 'info', now(), now(), 0, now(), now()), (${crypto.randomUUID()}, 'BUSY', 'x', 'stopped', 'info', now(), now(), 0, now(), now())`;
  t.match(await get('BUSY'), {
    open_push: { push_log_id: open, status: 'in_progress', version: '4.3.0', config_type: 'parameter' },
    open_log_session_id: session,
  });
});

t.test('a missing optional column reads as null with a warning', async (t) => {
  const other = await toolWorld(pg);
  t.teardown(() => other.close());
  await terminal(other.owner, 'A');
  await other.owner`alter table tms_terminals drop column battery_level, drop column latitude`;
  const drift = new Set(['product.tms_terminals.battery_level', 'product.tms_terminals.latitude']);
  const answer = await other.run(getTerminal, { serial_number: 'A' }, { drift });
  t.match(answer.data['terminal'], { battery_level: null, location: null, signal_dbm: -70 });
  t.match(answer.warnings, [
    {
      code: 'SCHEMA_DRIFT',
      details: { missing: ['product.tms_terminals.battery_level', 'product.tms_terminals.latitude'] },
    },
  ]);
});

t.test('three statements, and nothing changes', async (t) => {
  const before = await fingerprint(owner);
  t.equal((await world.record(getTerminal, { serial_number: 'BUSY' })).statements.length, 3);
  t.same(await fingerprint(owner), before);
});
