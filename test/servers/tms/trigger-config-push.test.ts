import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { triggerConfigPush as tool } from '../../../src/servers/tms/tools/trigger-config-push.ts';
import { emvContent } from '../../support/emv-content.ts';
import {
  ago,
  appPackage,
  deployment,
  deploymentConfig,
  fingerprint,
  parameter,
  push,
  template,
  terminal,
} from '../../support/fleet.ts';
import { startPostgres } from '../../support/postgres.ts';
import { type RunOptions, type ToolWorld, toolWorld } from '../../support/tool-runner.ts';
import { unzipStored } from '../../support/unzip.ts';

t.setTimeout(120_000);
const pg = await startPostgres();
t.teardown(() => pg.stop());
const world = await toolWorld(pg);
t.teardown(() => world.close());
const { owner } = world;
await template(owner, { content: '{"timeout_s": 30, "limit": 12345678901234567890}' });

const send = async (serial: string, type = 'parameter', options: RunOptions = {}, on: ToolWorld = world) =>
  on.run(tool, { serial_number: serial, config_type: type }, options);
const rows = async (serial: string, on: ToolWorld = world) => ({
  pushes:
    await on.owner`select id::int, status, version, artifact_id::int, trigger_source, requested_by, command_id, template_id::int, completed_at is not null as done
    from parameter_push_logs where serial_number = ${serial} order by id`,
  details:
    await on.owner`select d.seq, d.event from push_details d join parameter_push_logs p on p.id = d.push_log_id where p.serial_number = ${serial} order by d.id`,
  outbox:
    await on.owner`select command_id, topic, command_type, state, ref_table, ref_id, payload::text as payload, extract(epoch from expires_at - created_at)::int as ttl
    from mcp_ops.mqtt_outbox where serial_number = ${serial} order by id`,
  artifacts:
    await on.owner`select id::int, version, sha256, storage_key, size_bytes::int, built_by from config_artifacts where serial_number = ${serial} order by id`,
});

t.test('a push builds the file, and writes its row, its first event and its message together', async (t) => {
  await terminal(owner, 'NV5-1', { status: 'offline' });
  await parameter(owner, 'NV5-1', 'wifi_password', 'hunter2-secret', { is_secret: true });
  const answer = await send('NV5-1');
  const { pushes, details, outbox, artifacts } = await rows('NV5-1');
  const [row] = pushes;
  const [message] = outbox;
  const [artifact] = artifacts;
  t.match(answer.data, {
    push_log_id: row!['id'],
    command_id: row!['command_id'],
    serial_number: 'NV5-1',
    config_type: 'parameter',
    version: '4.2.0.1',
    artifact_sha256: artifact!['sha256'],
    status: 'queued',
    delivery: 'queued',
    terminal_status: 'offline',
    duplicate: false,
  });
  t.same(
    answer.warnings.map((warning) => warning.code),
    ['DELIVERY_PENDING'],
  );
  t.match(row, {
    status: 'queued',
    trigger_source: 'mcp',
    requested_by: 'local',
    artifact_id: artifact!['id'],
    version: '4.2.0.1',
  });
  t.same([...details], [{ seq: 1, event: 'queued' }]);
  t.match(message, {
    command_id: row!['command_id'],
    topic: 'tms/v1/NV5-1/cmd/config_update',
    command_type: 'config_update',
    state: 'pending',
    ref_table: 'parameter_push_logs',
    ref_id: String(row!['id']),
  });
  t.ok(Math.abs((message!['ttl'] as number) - 86_400) <= 2);
  const payload = JSON.parse(message!['payload'] as string) as {
    v: number;
    serial_number: string;
    params: Record<string, unknown>;
  };
  t.match(payload, {
    v: 1,
    serial_number: 'NV5-1',
    params: {
      config_type: 'parameter',
      version: '4.2.0.1',
      sha256: artifact!['sha256'],
      size_bytes: artifact!['size_bytes'],
    },
  });
  const path = String(payload.params['download_path']);
  t.match(path, /^\/artifacts\/[0-9a-f-]{36}\/[\w-]{32}$/);

  const params = Buffer.from(
    unzipStored(await world.artifacts.get(String(artifact!['storage_key']))).get('params.json')!,
  ).toString();
  t.equal(params, '{"limit":12345678901234567890,"timeout_s":30,"wifi_password":"hunter2-secret"}');
  t.notMatch(JSON.stringify(answer), /hunter2/, 'a secret is in the file and in no answer');
  t.notMatch(JSON.stringify([pushes, details, outbox]), /hunter2/);
  t.notMatch(JSON.stringify(answer), new RegExp(path.slice(-32)), 'the code is in the command alone');
});

t.test('nothing but the named tables changes', async (t) => {
  await terminal(owner, 'ONLY');
  const named = ['parameter_push_logs', 'push_details', 'config_artifacts', 'mcp_ops.mqtt_outbox'];
  const before = await fingerprint(owner, named);
  await send('ONLY');
  t.same(await fingerprint(owner, named), before);
});

t.test('a serial of any script is percent-encoded in the topic', async (t) => {
  await terminal(owner, '端末-0007');
  await send('端末-0007');
  t.equal((await rows('端末-0007')).outbox[0]!['topic'], 'tms/v1/%E7%AB%AF%E6%9C%AB-0007/cmd/config_update');
});

t.test('20 calls at once make one push and one message', async (t) => {
  await terminal(owner, 'RACE');
  const answers = await Promise.all(Array.from({ length: 20 }, () => send('RACE')));
  t.equal(answers.filter((answer) => answer.data['duplicate'] === false).length, 1);
  t.equal(answers.filter((answer) => answer.suppressed === true).length, 19);
  t.equal(new Set(answers.map((answer) => answer.data['push_log_id'])).size, 1);
  const { pushes, outbox, artifacts } = await rows('RACE');
  t.same([pushes.length, outbox.length, artifacts.length], [1, 1, 1]);
});

t.test('a push in flight or a recent one by this tool is answered instead', async (t) => {
  await terminal(owner, 'DUP');
  const portal = await push(owner, 'DUP', { status: 'sent', requested_at: '-3 h', command_id: crypto.randomUUID() });
  const first = await send('DUP');
  t.match(first.data, {
    push_log_id: portal,
    duplicate: true,
    status: 'sent',
    delivery: 'published',
    artifact_sha256: null,
  });
  t.same(
    first.warnings.map((warning) => warning.code),
    ['SUPPRESSED_DUPLICATE'],
  );
  t.equal((await rows('DUP')).outbox.length, 0);
  t.equal(Date.parse(String(first.data['expires_at'])) > Date.now() + 20 * 3_600_000, true);

  t.equal((await send('DUP', 'keys_config')).data['duplicate'], false, 'another type is another push');

  await terminal(owner, 'RECENT');
  const done = await send('RECENT');
  await owner`update parameter_push_logs set status = 'failed' where serial_number = 'RECENT'`;
  t.match((await send('RECENT')).data, { push_log_id: done.data['push_log_id'], duplicate: true, status: 'failed' });
  await owner`update parameter_push_logs set requested_at = requested_at - interval '11 minutes' where serial_number = 'RECENT'`;
  t.equal((await send('RECENT')).data['duplicate'], false);
  t.equal((await rows('RECENT')).artifacts.length, 1, 'an unchanged source builds no new file');
});

t.test('an idempotency key sets the window aside, but never an action in flight', async (t) => {
  await terminal(owner, 'KEYED');
  await send('KEYED');
  const error = await world.refusal(tool, { serial_number: 'KEYED', config_type: 'parameter' }, { keyed: true });
  t.equal(error.code, 'CONFLICT');
  t.match(error.details, { reason: 'in_flight', in_flight: { status: 'queued' } });
  await owner`update parameter_push_logs set status = 'succeeded' where serial_number = 'KEYED'`;
  t.equal((await send('KEYED', 'parameter', { keyed: true })).data['duplicate'], false);
});

t.test('a push whose command has died is superseded; one that the terminal had begun is a conflict', async (t) => {
  await terminal(owner, 'OLD');
  await push(owner, 'OLD', { status: 'sent', requested_at: '-25 h' });
  await push(owner, 'OLD', { status: 'succeeded', requested_at: '-26 h' });
  t.equal((await send('OLD')).data['duplicate'], false);
  t.same(
    (await rows('OLD')).pushes.map((row) => [row['status'], row['done']]),
    [
      ['superseded', true],
      ['succeeded', false],
      ['queued', false],
    ],
  );
  await terminal(owner, 'STUCK');
  await push(owner, 'STUCK', { status: 'in_progress', requested_at: '-25 h' });
  const error = await world.refusal(tool, { serial_number: 'STUCK', config_type: 'parameter' });
  t.match([error.code, error.details], ['CONFLICT', { reason: 'in_progress' }]);
});

t.test('a changed source builds the next version; the group template beats the general one', async (t) => {
  await terminal(owner, 'CHANGE', { group_name: 'pilot' });
  const later = async () =>
    owner`update parameter_push_logs set status = 'succeeded', requested_at = requested_at - interval '1 hour' where serial_number = 'CHANGE'`;
  t.equal((await send('CHANGE')).data['version'], '4.2.0.1');
  await later();
  await parameter(owner, 'CHANGE', 'timeout_s', '45');
  t.equal((await send('CHANGE')).data['version'], '4.2.0.2');
  await later();
  await template(owner, { version: '5.0.0', group_name: 'pilot', inserted_at: '-9 d' });
  await template(owner, { version: '9.9.9', group_name: 'north' });
  await template(owner, { version: '8.8.8', group_name: 'pilot', active: false });
  t.equal((await send('CHANGE')).data['version'], '5.0.0.1');
  await later();
  await template(owner, { version: '5.0.1', group_name: 'pilot' });
  t.equal((await send('CHANGE')).data['version'], '5.0.1.1', 'the newest');
});

t.test('a lost file is written again before its artifact is pushed', async (t) => {
  await terminal(owner, 'LOST');
  await send('LOST');
  const key = String((await rows('LOST')).artifacts[0]!['storage_key']);
  await rm(join(world.artifactDir, key));
  await owner`update parameter_push_logs set status = 'succeeded', requested_at = requested_at - interval '1 hour' where serial_number = 'LOST'`;
  await send('LOST');
  t.equal((await rows('LOST')).artifacts.length, 1);
  t.ok(await world.artifacts.get(key));
});

t.test('an EMV configuration, and one that cannot be built', async (t) => {
  await terminal(owner, 'EMV');
  const id = await template(owner, {
    config_type: 'emv_config',
    version: '7.1',
    content: JSON.stringify(emvContent()),
  });
  t.match((await send('EMV', 'emv_config')).data, { version: '7.1.1', config_type: 'emv_config' });
  await terminal(owner, 'EMV2');
  const broken = emvContent();
  delete broken.aids[0]!['tac_denial'];
  await owner`update parameter_templates set content = ${JSON.stringify(broken)}::text::jsonb where id = ${id}`;
  const error = await world.refusal(tool, { serial_number: 'EMV2', config_type: 'emv_config' });
  t.match([error.code, error.details], ['CONFLICT', { problems: ['aid A0000000031010: tac_denial is missing'] }]);
  t.same((await rows('EMV2')).pushes.length, 0);
});

t.test('an application push offers the package of the newest deployment that counts', async (t) => {
  await terminal(owner, 'APP');
  const none = await world.refusal(tool, { serial_number: 'APP', config_type: 'application' });
  t.match([none.code, none.details], ['CONFLICT', { reason: 'no_deployment' }]);
  const older = await appPackage(owner, { version: '2.6.0' });
  const newer = await appPackage(owner, { version: '2.7.5' });
  const failed = await appPackage(owner, { version: '3.0.0' });
  const configId = await deploymentConfig(owner);
  await deployment(owner, 'APP', older, { requested_at: '-3 d', config_id: configId });
  await deployment(owner, 'APP', newer, { requested_at: '-2 d', config_id: configId });
  await deployment(owner, 'APP', failed, { requested_at: '-1 d', status: 'failed', config_id: configId });
  t.match((await send('APP', 'application')).data, { version: '2.7.5' });
  t.match(JSON.parse(String((await rows('APP')).outbox[0]!['payload'])), {
    params: { config_type: 'application', version: '2.7.5', size_bytes: 1_000_000 },
  });
});

t.test('keys_config is a bare notice, or forbidden where the operator says so', async (t) => {
  await terminal(owner, 'KEYS');
  t.match((await send('KEYS', 'keys_config')).data, { version: null, artifact_sha256: null });
  const { outbox } = await rows('KEYS');
  t.equal(outbox[0]!['command_type'], 'config_check');
  t.same((JSON.parse(String(outbox[0]!['payload'])) as { params: unknown }).params, { config_type: 'keys_config' });
  const strict = await toolWorld(pg, { settings: { keysConfigTrigger: 'blocked' }, database: world.database });
  t.teardown(() => strict.close());
  t.equal((await strict.refusal(tool, { serial_number: 'KEYS', config_type: 'keys_config' })).code, 'T4_FORBIDDEN');
});

t.test('what is refused leaves nothing behind', async (t) => {
  await terminal(owner, 'GONE', { status: 'decommissioned' });
  await terminal(owner, 'ODD', { model: 'Unheard-of' });
  await terminal(owner, 'BARE', { vendor: null });
  const before = await fingerprint(owner);
  const code = async (args: Record<string, unknown>) => (await world.refusal(tool, args)).code;
  t.equal(await code({ serial_number: 'nobody', config_type: 'parameter' }), 'NOT_FOUND');
  t.equal(await code({ serial_number: "' OR 1=1 --", config_type: 'parameter' }), 'NOT_FOUND');
  const gone = await world.refusal(tool, { serial_number: 'GONE', config_type: 'parameter' });
  t.match([gone.code, gone.details], ['CONFLICT', { status: 'decommissioned' }]);
  const odd = await world.refusal(tool, { serial_number: 'ODD', config_type: 'parameter' });
  t.match(
    [odd.code, odd.details],
    ['CONFLICT', { reason: 'no_template', looked_for: { model: 'Unheard-of', config_type: 'parameter' } }],
  );
  t.equal(await code({ serial_number: 'BARE', config_type: 'parameter' }), 'CONFLICT');
  for (const args of [
    { serial_number: 'ODD' },
    { serial_number: 'ODD', config_type: 'keys' },
    { serial_number: 'A+B/#', config_type: 'parameter' },
    { serial_number: 'ODD', config_type: 'parameter', force: true },
  ]) {
    t.equal(await code(args), 'INVALID_ARGUMENT', JSON.stringify(args));
  }
  t.same(await fingerprint(owner), before);
});

t.test('when the artifact store is down nothing is written', async (t) => {
  const down = await toolWorld(pg, { database: world.database });
  t.teardown(() => down.close());
  await writeFile(join(down.artifactDir, 'config'), 'not a folder');
  await terminal(owner, 'DOWN');
  const before = await fingerprint(owner);
  t.equal(
    (await down.refusal(tool, { serial_number: 'DOWN', config_type: 'parameter' })).code,
    'DEPENDENCY_UNAVAILABLE',
  );
  t.same(await fingerprint(owner), before);
});

t.test('no new command while the backlog is old', async (t) => {
  const late = await toolWorld(pg);
  t.teardown(() => late.close());
  await terminal(late.owner, 'A');
  await template(late.owner);
  await late.run(tool, { serial_number: 'A', config_type: 'keys_config' });
  await late.owner`update mcp_ops.mqtt_outbox set next_attempt_at = ${ago('-16 min')}`;
  t.equal((await late.refusal(tool, { serial_number: 'A', config_type: 'parameter' })).code, 'DEPENDENCY_UNAVAILABLE');
});

t.test('the number of statements does not grow with the rows', async (t) => {
  await terminal(owner, 'COUNT');
  for (let i = 0; i < 30; i++) await parameter(owner, 'COUNT', `p${i}`, String(i));
  const { statements } = await world.record(tool, { serial_number: 'COUNT', config_type: 'parameter' });
  t.equal(statements.length, 11);
  t.notMatch(statements.map((statement) => statement.text).join('\n'), /\*\s+from|returning \*/);
});
