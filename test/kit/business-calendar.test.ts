import fc from 'fast-check';
import t from 'tap';
import { Temporal } from 'temporal-polyfill';
import { businessCalendar } from '../../src/kit/business-calendar.ts';

const date = (text: string) => Temporal.PlainDate.from(text);
const start = (zone: string, cutover: string, day: string) =>
  businessCalendar(zone, cutover).startOf(date(day)).toString();

t.test('a cut-over that does not exist moves to the first instant after the gap', async (t) => {
  // Europe/London 2026-03-29: 01:00 GMT becomes 02:00 BST, so 01:30 does not exist.
  t.equal(start('Europe/London', '01:30', '2026-03-29'), '2026-03-29T01:00:00Z');
  t.equal(start('Europe/London', '01:00', '2026-03-29'), '2026-03-29T01:00:00Z');
  t.equal(start('Europe/London', '00:59', '2026-03-29'), '2026-03-29T00:59:00Z');
  // Africa/Cairo 2024-04-26: midnight itself is in the gap.
  t.equal(start('Africa/Cairo', '00:00', '2024-04-26'), '2024-04-25T22:00:00Z');
});

t.test('a cut-over that exists twice is the earlier one', async (t) => {
  // Europe/London 2026-10-25: 02:00 BST becomes 01:00 GMT, so 01:30 comes twice, first as BST.
  t.equal(start('Europe/London', '01:30', '2026-10-25'), '2026-10-25T00:30:00Z');
});

t.test('a clock-change day has 23 or 25 hour buckets and one day bucket', async (t) => {
  const london = businessCalendar('Europe/London', '00:00');
  for (const [day, hours] of [
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-06-01', 24],
  ] as const) {
    const from = london.startOf(date(day));
    const to = london.startOf(date(day).add({ days: 1 }));
    t.equal(london.buckets('hour', from, to).length, hours, day);
    t.equal(london.buckets('day', from, to).length, 1, day);
  }
});

t.test('a date that the zone skipped has no hours', async (t) => {
  // Samoa had no 2011-12-30.
  const apia = businessCalendar('Pacific/Apia', '00:00');
  t.equal(apia.startOf(date('2011-12-30')).toString(), apia.startOf(date('2011-12-31')).toString());
  t.equal(apia.dateOf(apia.startOf(date('2011-12-31'))).toString(), '2011-12-31');
});

t.test('what is not a zone or a cut-over is refused at start', async (t) => {
  t.throws(() => businessCalendar('Mars/Olympus', '00:00'), RangeError);
  t.throws(() => businessCalendar('+04:00', '00:00'), RangeError);
  t.throws(() => businessCalendar('UTC', '24:00'), RangeError);
  t.throws(() => businessCalendar('UTC', '7:00'), RangeError);
});

t.test('business days tile time, and buckets tile windows', async () => {
  const zone = fc.constantFrom(
    'UTC',
    'Europe/London',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'Africa/Cairo',
  );
  const cutover = fc.constantFrom('00:00', '02:15', '12:00', '23:59');
  const instant = fc
    .integer({ min: 1_262_304_000, max: 1_893_456_000 })
    .map((s) => Temporal.Instant.fromEpochMilliseconds(s * 1000));
  fc.assert(
    fc.property(zone, cutover, instant, fc.integer({ min: 1, max: 40 * 86_400 }), (name, cut, at, seconds) => {
      const calendar = businessCalendar(name, cut);
      const day = calendar.dateOf(at);
      const inside =
        Temporal.Instant.compare(calendar.startOf(day), at) <= 0 &&
        Temporal.Instant.compare(at, calendar.startOf(day.add({ days: 1 }))) < 0;
      if (!inside) throw new Error('instant outside its own business day');

      const end = at.add({ seconds });
      for (const unit of ['hour', 'day'] as const) {
        const list = calendar.buckets(unit, at, end);
        const first = list[0];
        const last = list.at(-1);
        if (!first || !last) throw new Error('no bucket');
        if (Temporal.Instant.compare(first.start, at) > 0 || Temporal.Instant.compare(first.end, at) <= 0)
          throw new Error('first');
        if (Temporal.Instant.compare(last.start, end) >= 0 || Temporal.Instant.compare(last.end, end) < 0)
          throw new Error('last');
        for (let i = 1; i < list.length; i++) {
          if (!list[i]?.start.equals(list[i - 1]!.end)) throw new Error('gap or overlap');
        }
        for (const bucket of list) {
          if (!calendar.dateOf(bucket.start).equals(bucket.date)) throw new Error('bucket of another day');
        }
      }
    }),
    { numRuns: 150 },
  );
});
