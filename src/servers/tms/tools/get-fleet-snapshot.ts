import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import {
  type Bucket,
  type BusinessCalendar,
  defineTool,
  fields,
  fitsDays,
  formatInstant,
  resolveWindow,
  success,
  type TimeWindow,
  ToolError,
  windowFacts,
} from '../../../kit/index.ts';
import { READ } from '../access.ts';
import { type Dimension, fleetAt, fleetBy, fleetNow, type StateCounts } from '../fleet.repository.ts';
import { STATUS_LOGS, TERMINAL_FLEET } from '../tables.ts';
import { now } from '../window.ts';

const MAX_GROUPS = 200;
const MAX_BUCKETS = 2000;
const HOURLY_DAYS = 31;
const REST = '(other)';

const count = z.int().min(0);
const states = { online: count, offline: count, unknown: count, maintenance: count, total: count };

export const getFleetSnapshot = defineTool({
  name: 'get_fleet_snapshot',
  title: 'Get fleet snapshot',
  description:
    'How many terminals are online, offline, unknown or in maintenance. By vendor, model, area, group, tier or merchant: the state at the end of the window. By hour or day: the state at the end of each bucket, each terminal keeping its last reported state. Days are business days. now = what the registry says at this moment. Decommissioned terminals are left out.',
  access: READ,
  input: z.strictObject({
    from: fields.windowFrom,
    to: fields.windowTo,
    group_by: z.enum(['none', 'vendor', 'model', 'area', 'group', 'tier', 'merchant', 'hour', 'day']).default('none'),
  }),
  output: z.object({
    groups: z.array(
      z.object({
        key: z.string().nullable(),
        bucket_start: fields.instant.nullable(),
        ...states,
        online_ratio: z.number().nullable(),
      }),
    ),
    now: z.object(states),
  }),
  reads: [TERMINAL_FLEET, STATUS_LOGS],
  writes: [],
  needs: ['product', 'calendar'],
  async run(context, input) {
    const { calendar, product } = context.use;
    const window = resolveWindow(calendar, input, now());
    const { group_by } = input;
    const timed = group_by === 'hour' || group_by === 'day';
    const buckets = timed ? bucketsOf(calendar, window, group_by) : [];
    const { registry, groups } = await product.read(async (db) => ({
      registry: await fleetNow(db),
      groups: timed
        ? inTime(calendar, group_by, buckets, buckets.length === 0 ? [] : await fleetAt(db, ends(buckets, window)))
        : byKey(await fleetBy(db, group_by === 'none' ? null : (group_by satisfies Dimension), window.to), group_by),
    }));
    const { asOf, ...present } = registry;
    return success(
      { groups, now: { ...present, total: totalOf(present) } },
      {
        provenance: {
          as_of: asOf,
          sources: [
            { system: 'product', object: 'tms_terminals', rows: totalOf(present) },
            { system: 'product', object: 'tms_terminal_status_logs', rows: null },
          ],
          window: windowFacts(window, calendar),
        },
      },
    );
  },
});

/** The buckets up to now: of an hour that lies ahead nobody knows the state. */
function bucketsOf(calendar: BusinessCalendar, window: TimeWindow, unit: 'hour' | 'day'): Bucket[] {
  if (unit === 'hour' && !fitsDays(window, HOURLY_DAYS)) throw tooMany(window, HOURLY_DAYS);
  const present = now();
  const end = Temporal.Instant.compare(window.end, present) < 0 ? window.end : present;
  const buckets = Temporal.Instant.compare(window.start, end) < 0 ? calendar.buckets(unit, window.start, end) : [];
  if (buckets.length > MAX_BUCKETS) throw tooMany(window, HOURLY_DAYS);
  return buckets;
}

function tooMany(window: TimeWindow, days: number): ToolError {
  return new ToolError('WINDOW_TOO_LARGE', {
    message: `Hourly buckets cover at most ${days} days. Use group_by "day".`,
    details: { max_days: days, requested_seconds: window.seconds, use: 'day' },
  });
}

/** The moments at which the states are read: the ends of the buckets, the last one cut at the end of the window. */
const ends = (buckets: readonly Bucket[], window: TimeWindow): string[] =>
  buckets.map(({ end }) => formatInstant(Temporal.Instant.compare(end, window.end) < 0 ? end : window.end));

type Group = { key: string | null; bucket_start: string | null } & StateCounts & {
    total: number;
    online_ratio: number | null;
  };

function inTime(
  calendar: BusinessCalendar,
  unit: 'hour' | 'day',
  buckets: readonly Bucket[],
  rows: readonly ({ moment: number } & StateCounts)[],
): Group[] {
  const byMoment = new Map(rows.map((row) => [row.moment, row]));
  return buckets.map((bucket, i) => {
    const label =
      unit === 'day'
        ? bucket.date.toString()
        : bucket.start
            .toZonedDateTimeISO(calendar.timeZone)
            .toString({ smallestUnit: 'minute', timeZoneName: 'never' });
    return group(label, formatInstant(bucket.start), byMoment.get(i + 1) ?? NOBODY);
  });
}

/** Largest groups first; what is over 200 is folded into one. */
function byKey(rows: readonly ({ key: string | null } & StateCounts)[], dimension: string): Group[] {
  if (dimension === 'none') return [group(null, null, rows[0] ?? NOBODY)];
  const sorted = [...rows].sort((a, b) => totalOf(b) - totalOf(a) || compareKeys(a.key, b.key));
  const shown = sorted.slice(0, MAX_GROUPS).map((row) => group(row.key, null, row));
  const rest = sorted.slice(MAX_GROUPS);
  if (rest.length > 0) shown.push(group(REST, null, rest.reduce(add, NOBODY)));
  return shown;
}

const NOBODY: StateCounts = { online: 0, offline: 0, maintenance: 0, unknown: 0 };
const totalOf = (row: StateCounts): number => row.online + row.offline + row.unknown + row.maintenance;
const add = (a: StateCounts, b: StateCounts): StateCounts => ({
  online: a.online + b.online,
  offline: a.offline + b.offline,
  maintenance: a.maintenance + b.maintenance,
  unknown: a.unknown + b.unknown,
});
const compareKeys = (a: string | null, b: string | null): number =>
  a === b ? 0 : a === null ? 1 : b === null || a < b ? -1 : 1;

function group(key: string | null, start: string | null, row: StateCounts): Group {
  const total = totalOf(row);
  return {
    key,
    bucket_start: start,
    online: row.online,
    offline: row.offline,
    unknown: row.unknown,
    maintenance: row.maintenance,
    total,
    online_ratio: total === 0 ? null : Math.round((row.online / total) * 10_000) / 10_000,
  };
}
