import t from 'tap';
import { sendMqttCommand as tool } from '../../../src/servers/tms/tools/send-mqtt-command.ts';
import { fingerprint, terminal } from '../../support/fleet.ts';
import { startPostgres } from '../../support/postgres.ts';
import { toolWorld } from '../../support/tool-runner.ts';

const pg = await startPostgres();
t.teardown(() => pg.stop());
const world = await toolWorld(pg);
t.teardown(() => world.close());
const { owner } = world;
const reboot = (serial: string, delay = 0) => ({
  serial_number: serial,
  command_type: 'reboot',
  params: { delay_s: delay },
});
const outbox = (serial: string) => owner`
  select command_id, topic, command_type, state, ref_table, payload::text as payload, extract(epoch from expires_at - created_at)::int as ttl
  from mcp_ops.mqtt_outbox where serial_number = ${serial} order by id`;

t.test('a command becomes one message with a topic of its own and an expiry, and nothing else', async (t) => {
  await terminal(owner, '端末-7', { status: 'offline' });
  const before = await fingerprint(owner, ['mcp_ops.mqtt_outbox']);
  const answer = await world.run(tool, reboot('端末-7', 5));
  t.same(await fingerprint(owner, ['mcp_ops.mqtt_outbox']), before);
  const [message] = await outbox('端末-7');
  t.match(answer.data, {
    command_id: message!['command_id'],
    serial_number: '端末-7',
    command_type: 'reboot',
    topic: 'tms/v1/%E7%AB%AF%E6%9C%AB-7/cmd/reboot',
    state: 'queued',
    terminal_status: 'offline',
    duplicate: false,
  });
  t.equal(message!['topic'], answer.data['topic']);
  t.ok(Math.abs((message!['ttl'] as number) - 600) <= 2);
  t.match(JSON.parse(message!['payload'] as string), {
    v: 1,
    command_type: 'reboot',
    params: { delay_s: 5 },
    expires_at: answer.data['expires_at'],
  });
});

t.test('the same command within 5 minutes is answered instead; other parameters are another command', async (t) => {
  await terminal(owner, 'A');
  const answers = await Promise.all(Array.from({ length: 20 }, () => world.run(tool, reboot('A'))));
  t.equal(answers.filter((answer) => answer.data['duplicate'] === false).length, 1);
  t.equal((await outbox('A')).length, 1);
  t.equal((await world.run(tool, reboot('A', 1))).data['duplicate'], false);
  await owner`update mcp_ops.mqtt_outbox set created_at = created_at - interval '6 minutes' where serial_number = 'A'`;
  t.equal((await world.run(tool, reboot('A'))).data['duplicate'], false, 'the window is over');
});

t.test(
  'a key sets the window aside, but never a command in flight; one that was given up does not count',
  async (t) => {
    await terminal(owner, 'B');
    await world.run(tool, reboot('B'));
    const error = await world.refusal(tool, reboot('B'), { keyed: true });
    t.match([error.code, error.details], ['CONFLICT', { reason: 'in_flight', in_flight: { state: 'pending' } }]);
    await owner`update mcp_ops.mqtt_outbox set state = 'acked' where serial_number = 'B'`;
    t.match((await world.run(tool, reboot('B'))).data, { duplicate: true, state: 'published' });
    t.equal((await world.run(tool, reboot('B'), { keyed: true })).data['duplicate'], false);
    await owner`update mcp_ops.mqtt_outbox set state = 'dead' where serial_number = 'B'`;
    t.equal((await world.run(tool, reboot('B'))).data['duplicate'], false);
  },
);

t.test('what is never sent is told apart from what is misspelt', async (t) => {
  await terminal(owner, 'C');
  const before = await fingerprint(owner);
  const code = async (type: string, params: Record<string, unknown> = {}) =>
    (await world.refusal(tool, { serial_number: 'C', command_type: type, params })).code;
  for (const type of ['inject_key', 'firmware_update', 'install', 'shell', 'factory_reset', 'read_track2'])
    t.equal(await code(type), 'T4_FORBIDDEN', type);
  t.equal(await code('reboot', { delay_s: 0, pin_entry: { on: true } }), 'T4_FORBIDDEN');
  t.equal(await code('rebot'), 'INVALID_ARGUMENT');
  t.equal(await code('reboot'), 'INVALID_ARGUMENT');
  t.equal(await code('reboot', { delay_s: 301 }), 'INVALID_ARGUMENT');
  const refusal = await world.refusal(tool, { serial_number: 'C', command_type: 'sync_time', params: { now: 1 } });
  t.match(refusal.details, { issues: [{ path: 'params', rule: 'unknown_field' }] });
  for (const args of [
    { serial_number: 'A+B/#', command_type: 'sync_time', params: {} },
    { serial_number: 'C', command_type: 'sync_time' },
    { serial_number: 'C', command_type: 'sync_time', params: [] },
    { serial_number: 'C', command_type: '', params: {} },
  ]) {
    t.equal((await world.refusal(tool, args)).code, 'INVALID_ARGUMENT', JSON.stringify(args));
  }
  t.equal((await world.refusal(tool, reboot('nobody'))).code, 'NOT_FOUND');
  await terminal(owner, 'GONE', { status: 'decommissioned' });
  const gone = await fingerprint(owner);
  t.equal((await world.refusal(tool, reboot('GONE'))).code, 'CONFLICT');
  t.same(await fingerprint(owner), gone);
  t.same({ ...before, 'public.tms_terminals': 0 }, { ...gone, 'public.tms_terminals': 0 });
});

t.test('an approver sees what the terminal is doing, with a caution before a reboot', async (t) => {
  await terminal(owner, 'D');
  t.match(await world.preconditions(tool, reboot('D')), { terminal_status: 'online', transactions_last_60s: 0 });
  t.notOk('caution' in (await world.preconditions(tool, reboot('D'))));
  for (const at of ["now() at time zone 'utc'", "now() at time zone 'utc' - interval '61 seconds'"]) {
    await owner.unsafe(`insert into pos_transaction (reference_no, mti, proc_code, total_amount, tid, stan, currency_code, serial_number, transaction_time, response_code, approval_code, masked_card_no, inserted_at, updated_at)
      values ('1', '0200', '000000', 1, 'T', '1', '784', 'D', ${at}, '00', '1', '411111******1111', now(), now())`);
  }
  t.match(await world.preconditions(tool, reboot('D')), { transactions_last_60s: 1, caution: /1 transactions/ });
  t.notOk(
    'caution' in (await world.preconditions(tool, { serial_number: 'D', command_type: 'sync_time', params: {} })),
  );
  t.match(tool.approval!.summary(reboot('D')), /reboot \{"delay_s":0\} to terminal D/);
  t.same(tool.approval!.binding, ['terminal_status']);
});
