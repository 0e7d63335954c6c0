import fc from 'fast-check';
import t from 'tap';
import { ToolError } from '../../../src/kit/index.ts';
import { cohortThreshold, cohortTier } from '../../../src/servers/tms/cohort.ts';
import { COMMAND_TYPES, checkCommand } from '../../../src/servers/tms/commands.ts';
import { compareVersions } from '../../../src/servers/tms/versions.ts';

const rules = { floor: 5, cap: 50, fraction: 0.01, windowHours: 24, alwaysForTiers: [] as string[] };

t.test('versions compare part by part as numbers, other text only by equality', async (t) => {
  t.equal(compareVersions('1.10.0', '1.9.0'), 1);
  t.equal(compareVersions('1.2', '1.2.0'), 0);
  t.equal(compareVersions('4.2.0.1', '4.2.0'), 1);
  t.equal(compareVersions('99999999999999999999', '99999999999999999998'), 1);
  t.equal(compareVersions('2.0-beta', '2.0-beta'), 0);
  for (const text of ['2.0-beta', '', 'v2', '2.', '.2']) t.equal(compareVersions(text, '2.0'), null, text);
  const version = fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      const [ab, ba, bc, ac] = [
        compareVersions(a, b)!,
        compareVersions(b, a)!,
        compareVersions(b, c)!,
        compareVersions(a, c)!,
      ];
      return ab + ba === 0 && (ab > 0 || bc > 0 || ac <= 0);
    }),
  );
});

t.test('the cohort threshold is 1 % of the active fleet, at least 5 and at most 50', async (t) => {
  for (const [fleet, expected] of [
    [0, 5],
    [240, 5],
    [500, 5],
    [501, 6],
    [700, 7],
    [701, 8],
    [4900, 49],
    [5001, 50],
    [100_000, 50],
  ] as const) {
    t.equal(cohortThreshold(fleet, rules), expected, String(fleet));
  }
});

t.test('one terminal over the threshold, or a tier that always needs two, raises the tier', async (t) => {
  const tier = (cohort: number, alwaysForTiers: string[] = []) =>
    cohortTier({ cohort, threshold: 5, terminalTier: 'gold' }, { ...rules, alwaysForTiers }).tier;
  t.same([tier(1), tier(5), tier(6)], ['T2', 'T2', 'T3']);
  t.equal(tier(1, ['gold']), 'T3');
  t.equal(tier(1, ['silver']), 'T2');
});

const code = (work: () => unknown): string => {
  try {
    work();
    return 'accepted';
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
};

t.test('each command takes its own parameters and no others', async (t) => {
  const good: [string, Record<string, string | number>][] = [
    ['reboot', { delay_s: 0 }],
    ['reboot', { delay_s: 300 }],
    ['sync_time', {}],
    ['report_status', {}],
    ['report_versions', {}],
    ['clear_cache', { scope: 'temp' }],
    ['display_message', { text: '端'.repeat(64), seconds: 5 }],
    ['set_heartbeat_interval', { seconds: 3600 }],
    ['network_diagnostics', {}],
    ['sync_parameters', {}],
  ];
  for (const [type, params] of good) t.same(checkCommand(type, params, COMMAND_TYPES), params, type);
  t.same(new Set(good.map(([type]) => type)), new Set(COMMAND_TYPES));
  const bad: [string, Record<string, string | number>][] = [
    ['reboot', {}],
    ['reboot', { delay_s: 301 }],
    ['reboot', { delay_s: -1 }],
    ['reboot', { delay_s: 1.5 }],
    ['reboot', { delay_s: 1, force: 1 }],
    ['clear_cache', { scope: 'all' }],
    ['display_message', { text: 'x'.repeat(65), seconds: 5 }],
    ['display_message', { text: '', seconds: 5 }],
    ['display_message', { text: 'x', seconds: 121 }],
    ['set_heartbeat_interval', { seconds: 29 }],
    ['sync_time', { at: 1 }],
    ['self_destruct', {}],
    ['toString', {}],
    ['sync_time', { filler: 'x'.repeat(4096) }],
  ];
  for (const [type, params] of bad)
    t.equal(
      code(() => checkCommand(type, params, COMMAND_TYPES)),
      'INVALID_ARGUMENT',
      type,
    );
  t.equal(
    code(() => checkCommand('reboot', { delay_s: 1 }, ['sync_time'])),
    'INVALID_ARGUMENT',
    'not enabled here',
  );
});

t.test('forbidden words in a type or in any member name are T4, before anything else is said', async (t) => {
  for (const type of [
    'inject_key',
    'get_KCV',
    'load-kek',
    'rki',
    'update_slots',
    'read_pan',
    'get_track2',
    'change_pin',
    'wipe',
    'factory_reset',
    'shell',
    'exec',
    'update_firmware',
    'install_app',
  ]) {
    t.equal(
      code(() => checkCommand(type, {}, COMMAND_TYPES)),
      'T4_FORBIDDEN',
      type,
    );
  }
  t.equal(
    code(() => checkCommand('reboot', { delay_s: 1, PIN: 1 }, COMMAND_TYPES)),
    'T4_FORBIDDEN',
  );
  t.equal(
    code(() => checkCommand('sync_time', { a: [{ b: { keySlot: 1 } }] }, COMMAND_TYPES)),
    'T4_FORBIDDEN',
  );
  t.equal(
    code(() => checkCommand('display_message', { text: 'Please enter the key', seconds: 9 }, COMMAND_TYPES)),
    'accepted',
  );
});
