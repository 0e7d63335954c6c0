import t from 'tap';
import type { JsonValue } from '../../src/kit/index.ts';
import { startGateway } from '../support/gateway-process.ts';

/**
 * The zone of the machine changes nothing: one data folder, read by the same process under three zones, gives the same data to the byte.
 * Naive columns hold UTC, business days are those of the configured zone, and whoever reads a column through the local zone is found here.
 */
t.setTimeout(280_000);
const ZONES = ['UTC', 'Asia/Kolkata', 'America/New_York'];
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const LIKE_INSTANT = /^\d{4}-\d{2}-\d{2}[T ]\d/;
/** Instants are named so in every answer. */
const NAMED = /(_at|^as_of)$/;
/** Keys of buckets are hours and days of the business zone, with its offset. */
const BUCKET = /^\d{4}-\d{2}-\d{2}(T\d{2}:00\+04:00)?$/;

const HOUR = 3_600_000;
const now = Date.now();
const instant = (hoursAgo: number) => new Date(now - hoursAgo * HOUR).toISOString();
const businessDay = (daysAgo: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Dubai' }).format(new Date(now - daysAgo * 24 * HOUR));

const serial = 'NV5-000137';
const CALLS: readonly (readonly [tool: string, args: object])[] = [
  ['get_terminal', { serial_number: serial }],
  ['get_terminal_status_history', { serial_number: serial, from: businessDay(2), to: businessDay(1) }],
  ['get_terminal_status_history', { serial_number: serial, from: instant(30), to: instant(1) }],
  ['get_terminal_status_history', { serial_number: serial, from: `${instant(30).slice(0, 19)}+05:30`, to: instant(1) }],
  ['find_terminals', { filters: { group: 'pilot', last_seen_before: instant(1) }, sort: 'last_seen_at' }],
  ['find_terminals', { filters: { last_seen_before: businessDay(1) }, limit: 500 }],
  ['get_fleet_snapshot', { from: businessDay(3), to: businessDay(2), group_by: 'day' }],
  ['get_fleet_snapshot', { from: instant(26), to: instant(2), group_by: 'hour' }],
  ['get_push_history', { serial_number: serial, from: businessDay(20) }],
  ['get_push_outcome_stats', { filters: { from: businessDay(8), to: businessDay(1) }, group_by: ['day'] }],
];

/** What is named like an instant, or looks like one, and is not in the one form. */
function misfits(value: JsonValue, name = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((member) => misfits(member, name));
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([key, member]) => misfits(member, key));
  if (name === 'key' && typeof value === 'string' && BUCKET.test(value)) return [];
  const wanted = typeof value === 'string' && (NAMED.test(name) || LIKE_INSTANT.test(value));
  return wanted && !INSTANT.test(value) ? [`${name}: ${value}`] : [];
}

t.test('the same calls give the same data in every zone, and what is written is the same instant', async (t) => {
  const gateway = await startGateway(t, { env: { TZ: ZONES[0]! } });
  const seen = new Map<string, readonly string[]>();
  for (const [index, zone] of ZONES.entries()) {
    if (index > 0) {
      await gateway.kill('SIGTERM');
      await gateway.restart({ TZ: zone });
    }
    const answers = [];
    for (const [tool, args] of CALLS) {
      const answer = await gateway.call('tms', tool, args);
      t.equal(answer.isError, false, `${zone}: ${tool} ${answer.isError ? answer.text : ''}`);
      t.same(misfits(answer.data), [], `${zone}: ${tool}`);
      const { terminal } = answer.data as { terminal?: { last_seen_at: string; seconds_since_seen: number } };
      if (terminal) {
        // An age is another one at each call; it must be the distance to the instant beside it.
        const age = (Date.now() - Date.parse(terminal.last_seen_at)) / 1000;
        t.ok(
          Math.abs(age - terminal.seconds_since_seen) < 300,
          `${zone}: ${terminal.seconds_since_seen} s, not ${age}`,
        );
        terminal.seconds_since_seen = 0;
      }
      answers.push(`${tool} ${JSON.stringify(answer.data)}`);
    }
    seen.set(zone, answers);

    // Terminals whose serial ends in 9 never answer, and this one is in none of the answers above.
    const target = `NV5-0000${index}9`;
    const push = await gateway.call('tms', 'trigger_config_push', { serial_number: target, config_type: 'parameter' });
    t.match(push, { isError: false, data: { duplicate: false } }, `${zone}: a push`);
    const product = await gateway.connect('product');
    const [row] = await product<{ age: number }[]>`
      select extract(epoch from timezone('utc', now()) - requested_at)::float8 as age
      from parameter_push_logs where id = ${Number(push.data['push_log_id'])}`;
    t.ok(row!.age >= 0 && row!.age < 300, `${zone}: it was requested ${row!.age} s ago, by the column`);
    const history = await gateway.call('tms', 'get_push_history', { serial_number: target, from: instant(0.2) });
    t.match(history.data, { pushes: [{ id: push.data['push_log_id'] }] }, `${zone}: and by the answer`);
  }
  for (const zone of ZONES.slice(1)) t.same(seen.get(zone), seen.get('UTC'), `${zone} as UTC`);
  t.ok(
    seen.get('UTC')!.every((answer) => answer.length > 60),
    'and there was something to compare',
  );
});
