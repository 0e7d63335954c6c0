import t from 'tap';
import { startBroker } from '../../src/demo/broker.ts';
import { template, terminal } from '../support/fleet.ts';
import { type GatewayProcess, runPenstock, startGateway } from '../support/gateway-process.ts';
import { META, modernHeaders, send } from '../support/http-gateway.ts';
import { until } from '../support/until.ts';

/** Every decision of the real process is on record, and the command line finds every kind of tampering with the records. */
t.setTimeout(280_000);

const broker = await startBroker({ port: 0 });
t.teardown(() => broker.stop());
const gateway = await startGateway(t, {
  env: {
    PENSTOCK_DEMO: 'false',
    PAYMENTS_MQTT_URL: broker.url,
    PENSTOCK_LIMITS_WRITES_PER_MINUTE: '1000',
  },
});
const product = await gateway.connect('product');
const own = await gateway.connect('gateway');
await template(product);
for (let n = 0; n < 20; n += 1) await terminal(product, `AUD-${n}`);

/** What one request must come to: an HTTP status, or the code of the answer (null: success). */
interface Kind {
  readonly what: string;
  readonly send: (gateway: GatewayProcess, n: number) => Promise<string | number | null>;
  readonly want: string | number | null;
  /** The gates let it run and record its start. */
  readonly starts?: (n: number) => boolean;
}
const call = (server: string, tool: string, args: (n: number) => unknown, want: Kind['want']) => ({
  what: `${tool}: ${want ?? 'good'}`,
  want,
  send: async (at: GatewayProcess, n: number) => (await at.call(server, tool, args(n))).code,
});
const raw = (
  what: string,
  want: number,
  body: string,
  headers: Record<string, string> = {},
  name = 'get_terminal',
) => ({
  what,
  want,
  send: async (at: GatewayProcess) =>
    (
      await send(`${at.url}/mcp/tms`, {
        method: 'POST',
        headers: { ...modernHeaders('tools/call', name), ...headers },
        body,
      })
    ).status,
});
const message = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_terminal', arguments: { serial_number: 'AUD-1' }, _meta: META },
});
const flash = { components: { methane: 0.9, ethane: 0.1 }, temperature: 300, pressure: 20 };

const KINDS: readonly Kind[] = [
  call('tms', 'get_terminal', (n) => ({ serial_number: `AUD-${n}` }), null),
  call('tms', 'find_terminals', () => ({ filters: { vendor: 'Novapos' } }), null),
  call('tms', 'get_terminal', () => ({ serial_number: 'NOBODY' }), 'NOT_FOUND'),
  call('tms', 'get_terminal', () => ({ serial: 'AUD-1' }), 'INVALID_ARGUMENT'),
  call('tms', 'find_terminals', () => ({ filters: { vendor: 7 } }), 'INVALID_ARGUMENT'),
  call('tms', 'find_terminals', () => ({ filters: { vendor: 'pays with 4111 1111 1111 1111' } }), 'SENSITIVE_INPUT'),
  call('tms', 'no_such_tool', () => ({}), -32602),
  call(
    'tms',
    'send_mqtt_command',
    (n) => ({ serial_number: `AUD-${n}`, command_type: 'report_status', params: {} }),
    null,
  ),
  {
    // Every second one repeats the key of the one before and is answered from what was stored.
    ...call(
      'tms',
      'trigger_config_push',
      (n) => ({
        serial_number: `AUD-${n - (n % 2)}`,
        config_type: 'parameter',
        idempotency_key: `audit-key-${n - (n % 2)}`,
      }),
      null,
    ),
    starts: (n) => n % 2 === 0,
  },
  call('tms', 'trigger_config_push', () => ({ serial_number: 'AUD-1', config_type: 'nothing' }), 'INVALID_ARGUMENT'),
  call('neqsim', 'runFlash', () => ({ ...flash, model: 'SRK', flashType: 'TP' }), null),
  call('neqsim', 'runFlash', () => ({ ...flash, components: { unobtainium: 1 } }), 'UNKNOWN_COMPONENT'),
  raw('half a JSON text', 400, message.slice(0, 80)),
  raw('a member twice', 400, message.replace('"id":1', '"id":1,"id":2')),
  raw('a batch', 400, `[${message}]`),
  raw('a dangerous member', 400, message.replace('"AUD-1"', '{"__proto__":{}}')),
  raw('another content type', 415, message, { 'content-type': 'text/plain' }),
  raw('a foreign origin', 403, message, { origin: 'https://evil.test' }),
  raw('a foreign host', 403, message, { host: 'evil.test' }),
  raw('a header that names another tool', 400, message, {}, 'find_terminals'),
];
const ROUNDS = 10;

t.test('two hundred mixed calls leave exactly one decision each', async (t) => {
  const before = (await own<{ n: number }[]>`select count(*)::int as n from audit_records`)[0]!.n;
  let starts = 0;
  for (let n = 0; n < ROUNDS; n += 1) {
    const got = await Promise.all(KINDS.map((kind) => kind.send(gateway, n)));
    t.same(
      KINDS.map((kind, at) => `${kind.what} -> ${got[at]}`),
      KINDS.map((kind) => `${kind.what} -> ${kind.want}`),
    );
    starts += KINDS.filter((kind) => kind.starts?.(n)).length;
  }
  const count = async () =>
    (
      await own<{ started: number; decided: number }[]>`
        select count(*) filter (where phase = 'started')::int as started,
          count(*) filter (where phase <> 'started')::int - ${before}::int as decided from audit_records`
    )[0]!;
  await until(async () => (await count()).decided >= KINDS.length * ROUNDS);
  t.same(await count(), { started: starts, decided: KINDS.length * ROUNDS });
  t.equal(KINDS.length * ROUNDS, 200);
  const dump = JSON.stringify(await own`select * from audit_records`);
  t.notMatch(dump, /4111 1111/, 'and no card number');
});

/** Works as the owner of everything, whom no grant stops; puts the records back afterwards. */
async function tampered(work: () => Promise<unknown>): Promise<string> {
  await own.unsafe('create table kept as select * from audit_records');
  await work();
  const run = await runPenstock(['audit', 'verify'], { PENSTOCK_DATA_DIR: gateway.dataDir });
  await own.unsafe('delete from audit_records');
  await own.unsafe('insert into audit_records select * from kept');
  await own.unsafe('drop table kept');
  return `${run.code} ${run.out.trim()}`;
}

t.test('penstock audit verify passes, and names the record that was altered, removed or moved', async (t) => {
  t.match(await tampered(async () => {}), /^0 The audit log is whole: \d+ records/);
  t.match(
    await tampered(() => own`update audit_records set principal = 'somebody' where seq = 57`),
    /^1 The audit log is broken at record 57 \(altered\)/,
  );
  t.match(
    await tampered(() => own`delete from audit_records where seq = 90`),
    /^1 The audit log is broken at record 90 \(missing\)/,
  );
  t.match(
    await tampered(() =>
      own`update audit_records set seq = case seq when 120 then 1000123 when 123 then 1000120 end where seq in (120, 123)`.then(
        () => own`update audit_records set seq = seq - 1000000 where seq > 1000000`,
      ),
    ),
    /^1 The audit log is broken at record 120 \(moved\)/,
  );
  t.match(
    await tampered(() => own`delete from audit_records where seq > 150`),
    /^1 The audit log is broken at record 15\d \((truncated|missing)\)/,
  );
  t.match(await tampered(async () => {}), /^0 The audit log is whole/, 'and passes again once all is put back');
});
