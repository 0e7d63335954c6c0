import t, { type Test } from 'tap';
import { ApprovalOutdated } from '../../../src/kit/index.ts';
import { deployAppPackage as tool } from '../../../src/servers/tms/tools/deploy-app-package.ts';
import { appPackage, deployment, deploymentConfig, fingerprint, terminal } from '../../support/fleet.ts';
import { startPostgres } from '../../support/postgres.ts';
import { type ToolWorld, toolWorld } from '../../support/tool-runner.ts';

t.setTimeout(120_000);
const pg = await startPostgres();
t.teardown(() => pg.stop());

/** 240 active terminals of one model, of which `counted` got the package in the last 24 hours. */
async function fleet(t: Test, counted: number, settings: Parameters<typeof toolWorld>[1] = {}) {
  const world = await toolWorld(pg, settings);
  t.teardown(() => world.close());
  await world.owner`
    insert into tms_terminals (serial_number, vendor, model, tier, status, app_version, inserted_at, updated_at)
    select 'S' || i, 'Novapos', 'N5', case when i = 200 then 'gold' else 'silver' end, 'online', '2.7.0', now(), now() from generate_series(1, 240) i`;
  const packageId = await appPackage(world.owner, { min_from_version: '2.5.0' });
  const configId = await deploymentConfig(world.owner);
  for (let i = 1; i <= counted; i++) await deployment(world.owner, `S${i}`, packageId, { config_id: configId });
  const args = (serial: string) => ({ serial_number: serial, package_id: packageId, config_id: configId });
  return { world, owner: world.owner, packageId, configId, args };
}
const open = (world: ToolWorld) => world.owner`
  select serial_number, status, tier, cohort_size, approval_id, from_version, target_version, requested_by, kind, command_id
  from app_package_deployments where status = 'queued' order by id`;

t.test('a deployment writes its row and its message together', async (t) => {
  const { world, owner, packageId, configId, args } = await fleet(t, 0);
  const before = await fingerprint(owner, ['app_package_deployments', 'mcp_ops.mqtt_outbox']);
  const approvalId = crypto.randomUUID();
  const { data } = await world.run(tool, args('S1'), { approvalId, tier: 'T2', principal: 'issuer|agent' });
  t.same(await fingerprint(owner, ['app_package_deployments', 'mcp_ops.mqtt_outbox']), before);
  const [row] = await open(world);
  t.match(data, {
    action: 'deployed',
    command_id: row!['command_id'],
    serial_number: 'S1',
    package: { id: packageId, name: 'PosApp', version: '2.8.0' },
    from_version: '2.7.0',
    target_version: '2.8.0',
    tier: 'T2',
    cohort_size: 1,
    threshold: 5,
    status: 'queued',
    delivery: 'queued',
    duplicate: false,
  });
  t.match(row, {
    status: 'queued',
    tier: 'T2',
    cohort_size: 1,
    approval_id: approvalId,
    requested_by: 'issuer|agent',
    kind: 'deploy',
  });
  const [message] =
    await owner`select command_type, ref_table, payload::text as payload, extract(epoch from expires_at - created_at)::int as ttl from mcp_ops.mqtt_outbox`;
  t.match(message, { command_type: 'app_install', ref_table: 'app_package_deployments' });
  t.ok(Math.abs((message!['ttl'] as number) - 72 * 3600) <= 2);
  t.match(JSON.parse(message!['payload'] as string), {
    params: {
      package: 'PosApp',
      version: '2.8.0',
      size_bytes: 1_000_000,
      download_path: /^\/artifacts\//,
      install_window: '01:00-05:00',
      allow_on_battery: false,
      min_battery: 40,
      reboot_after: true,
    },
  });
  t.notMatch(JSON.stringify(data), /artifacts\//);

  const again = await world.run(tool, args('S1'));
  t.match(again.data, { duplicate: true, deployment_id: data['deployment_id'], delivery: 'queued' });
  t.match([again.suppressed, again.warnings], [true, [{ code: 'SUPPRESSED_DUPLICATE' }]]);
  const keyed = await world.refusal(tool, args('S1'), { keyed: true });
  t.match([keyed.code, keyed.details], ['CONFLICT', { reason: 'deployment_in_flight' }]);
  const other = await deploymentConfig(owner, { name: 'Now' });
  const different = await world.refusal(tool, { serial_number: 'S1', package_id: packageId, config_id: other });
  t.match(
    [different.code, different.details],
    ['CONFLICT', { reason: 'deployment_in_flight', in_flight: { status: 'queued' } }],
  );
  t.equal(configId === other, false);
});

t.test('in a fleet of 240 the threshold is 5, and the 6th terminal in 24 h needs two people', async (t) => {
  const five = await fleet(t, 4);
  t.equal(await five.world.tier(tool, five.args('S5')), 'T2');
  const six = await fleet(t, 5);
  t.equal(await six.world.tier(tool, six.args('S6')), 'T3');
  t.match(await six.world.preconditions(tool, six.args('S6')), {
    cohort_size: 6,
    threshold: 5,
    tier: 'T3',
    current_version: '2.7.0',
    package: 'PosApp 2.8.0',
  });
  t.equal(
    await six.world.tier(tool, six.args('S5')),
    'T2',
    'a serial that was already counted does not raise the count',
  );
});

t.test('only deployments of this package within the window count', async (t) => {
  const { world, owner, args, packageId, configId } = await fleet(t, 4);
  const other = await appPackage(owner, { version: '2.9.0' });
  const add = (serial: string, id: number, over: Record<string, string | null>) =>
    deployment(owner, serial, id, { config_id: configId, ...over });
  await add('S50', other, {});
  await add('S51', packageId, { requested_at: '-25 h' });
  await add('S52', packageId, { status: 'cancelled' });
  await add('S53', packageId, { status: 'expired' });
  await add('S54', packageId, { kind: 'rollback', config_id: null });
  t.match(await world.preconditions(tool, args('S5')), { cohort_size: 5, tier: 'T2' });
  await add('S55', packageId, { status: 'failed', requested_by: 'someone else' });
  t.match(await world.preconditions(tool, args('S5')), { cohort_size: 6, tier: 'T3' });
});

t.test('the operator can move the numbers, and name tiers that always need two', async (t) => {
  const { world, args } = await fleet(t, 2, {
    settings: { deploy: { floor: 2, cap: 50, fraction: 0.01, windowHours: 24, alwaysForTiers: ['gold'] } },
  });
  t.match(await world.preconditions(tool, args('S5')), { threshold: 3, tier: 'T2' });
  t.equal(await world.tier(tool, args('S200')), 'T3');
});

t.test('what was approved as T2 at cohort 5 does not run as cohort 6', async (t) => {
  const { world, owner, args, packageId, configId } = await fleet(t, 4);
  await deployment(owner, 'S99', packageId, { config_id: configId });
  await t.rejects(world.run(tool, args('S5'), { tier: 'T2' }), ApprovalOutdated);
  t.equal((await open(world)).length, 0);
  t.equal((await owner`select 1 from mcp_ops.mqtt_outbox`).length, 0);
  t.match((await world.run(tool, args('S5'), { tier: 'T3' })).data, { tier: 'T3', cohort_size: 6 });
});

t.test('of two at once on the last place of the threshold only one is T2', async (t) => {
  for (let round = 0; round < 3; round++) {
    const { world, args } = await fleet(t, 4);
    const outcomes = await Promise.allSettled([
      world.run(tool, args('S5'), { tier: 'T2' }),
      world.run(tool, args('S6'), { tier: 'T2' }),
    ]);
    t.same(outcomes.map((outcome) => outcome.status).sort(), ['fulfilled', 'rejected']);
    const [lost] = outcomes.filter((outcome) => outcome.status === 'rejected');
    const reason: unknown = lost?.reason;
    t.ok(reason instanceof ApprovalOutdated);
    t.match(reason instanceof ApprovalOutdated && reason.changed, { tier: { from: 'T2', to: 'T3' }, cohort_size: 6 });
    t.equal((await open(world)).length, 1);
  }
});

t.test('20 calls at once on one terminal make one deployment', async (t) => {
  const { world, owner, args } = await fleet(t, 0);
  const answers = await Promise.all(Array.from({ length: 20 }, () => world.run(tool, args('S1'), { tier: 'T2' })));
  t.equal(answers.filter((answer) => answer.data['duplicate'] === false).length, 1);
  t.equal((await open(world)).length, 1);
  t.equal((await owner`select 1 from mcp_ops.mqtt_outbox`).length, 1);
});

t.test('each condition is a conflict of its own, and nothing changes', async (t) => {
  const { world, owner, args, configId, packageId } = await fleet(t, 0);
  const draft = await appPackage(owner, { version: '3.0.0', status: 'draft' });
  const withdrawn = await appPackage(owner, { version: '3.0.1', status: 'withdrawn' });
  const n7 = await appPackage(owner, { version: '3.0.2', model: 'N7' });
  const needsNewer = await appPackage(owner, { version: '3.0.3', min_from_version: '2.10.0' });
  const named = await appPackage(owner, { version: '3.0.4', min_from_version: 'beta' });
  const inactive = await deploymentConfig(owner, { active: false });
  await terminal(owner, 'GONE', { status: 'decommissioned' });
  await terminal(owner, 'BLANK', { app_version: null });
  const before = await fingerprint(owner);
  const reason = async (over: Record<string, unknown>) => {
    const error = await world.refusal(tool, { ...args('S1'), ...over });
    return `${error.code} ${String(error.details?.['reason'] ?? '')}`.trim();
  };
  t.equal(await reason({ package_id: draft }), 'CONFLICT package_not_approved');
  t.equal(await reason({ package_id: withdrawn }), 'CONFLICT package_not_approved');
  t.equal(await reason({ package_id: n7 }), 'CONFLICT wrong_model');
  t.equal(await reason({ package_id: needsNewer }), 'CONFLICT version_too_old');
  t.equal(await reason({ package_id: named }), 'CONFLICT version_too_old');
  t.equal(await reason({ serial_number: 'BLANK' }), 'CONFLICT current_version_unknown');
  t.equal(await reason({ config_id: inactive }), 'CONFLICT config_inactive');
  t.equal(await reason({ serial_number: 'GONE' }), 'CONFLICT decommissioned');
  t.equal(await reason({ serial_number: 'nobody' }), 'NOT_FOUND');
  t.equal(await reason({ package_id: 999_999 }), 'NOT_FOUND');
  t.equal(await reason({ config_id: 999_999 }), 'NOT_FOUND');
  for (const over of [
    { package_id: 0 },
    { package_id: 1.5 },
    { config_id: '1' },
    { config_id: undefined },
    { extra: 1 },
    { package_id: 2 ** 60 },
  ]) {
    t.equal(await reason(over), 'INVALID_ARGUMENT', JSON.stringify(over));
  }
  t.same(await fingerprint(owner), before);
  t.ok(configId > 0 && packageId > 0);
});

t.test('a terminal that has the version already gets no row', async (t) => {
  const { world, owner, args } = await fleet(t, 0);
  await owner`update tms_terminals set app_version = '2.8' where serial_number = 'S1'`;
  const answer = await world.run(tool, args('S1'));
  t.match(answer.data, {
    action: 'already_installed',
    deployment_id: null,
    command_id: null,
    expires_at: null,
    from_version: '2.8',
  });
  t.equal(answer.suppressed, true);
  t.equal((await open(world)).length, 0);
});

t.test('an open deployment that another system adds at the last moment is a conflict, not a second one', async (t) => {
  const { world, owner, args, packageId, configId } = await fleet(t, 0);
  // Written after the handler looked and before it inserts: a trigger on the lock-free path stands for the other system.
  await owner.unsafe(`
    create function other_system() returns trigger language plpgsql security definer as $$
    begin
      if new.requested_by = 'local' then
        insert into app_package_deployments (package_id, config_id, serial_number, kind, target_version, status, tier, cohort_size, requested_by, command_id, requested_at, inserted_at, updated_at)
        values (${packageId}, ${configId}, new.serial_number, 'deploy', '1', 'sent', 'T2', 1, 'portal', gen_random_uuid(), now(), now(), now());
      end if;
      return new;
    end $$;
    create trigger other_system before insert on app_package_deployments for each row execute function other_system()`);
  const error = await world.refusal(tool, args('S1'));
  t.match([error.code, error.details], ['CONFLICT', { reason: 'deployment_in_flight' }]);
  t.equal((await open(world)).length, 0);
});

t.test('the number of statements is fixed', async (t) => {
  const { world, args } = await fleet(t, 5);
  const { statements } = await world.record(tool, args('S7'), { tier: 'T3' });
  // Six each for the tier, for what the approver sees and for the check; then two locks, the same six, and two inserts.
  t.equal(statements.length, 3 * 6 + 2 + 6 + 2);
});
