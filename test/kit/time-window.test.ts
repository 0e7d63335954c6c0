import fc from 'fast-check';
import t from 'tap';
import { Temporal } from 'temporal-polyfill';
import { businessCalendar } from '../../src/kit/business-calendar.ts';
import { ToolError } from '../../src/kit/errors.ts';
import { isBoundary, resolveWindow } from '../../src/kit/time-window.ts';

const at = (text: string) => Temporal.Instant.from(text);
const NOW = at('2026-06-15T12:00:00Z');
const utc = businessCalendar('UTC', '00:00');

function failure(work: () => unknown): ToolError {
  try {
    work();
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}

t.test('a window without arguments is the last 24 hours, or what the rules say', async (t) => {
  const window = resolveWindow(utc, {}, NOW);
  t.equal(window.from, '2026-06-14T12:00:00.000Z');
  t.equal(window.to, '2026-06-15T12:00:00.000Z');
  t.equal(resolveWindow(utc, {}, NOW, { defaultHours: 168 }).from, '2026-06-08T12:00:00.000Z');
});

t.test('a date in `to` means through the end of that business day', async (t) => {
  const dubai = businessCalendar('Asia/Dubai', '00:00');
  const window = resolveWindow(dubai, { from: '2026-06-01', to: '2026-06-02' }, NOW);
  t.equal(window.from, '2026-05-31T20:00:00.000Z');
  t.equal(window.to, '2026-06-02T20:00:00.000Z');
  t.equal(window.businessDays, 2);
});

t.test('an instant needs an offset, and both must be real', async (t) => {
  for (const text of [
    '2026-06-01T10:00:00',
    '2026-06-01 10:00:00Z',
    '2026-06-01T10:00Z',
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '0000-01-01',
    '20260601',
    '2026-W23-1',
    '2026-06-01T25:00:00Z',
    '2026-06-01T10:00:00+25:00',
    '2026-06-01T10:00:00Z[UTC]',
    'now',
    '',
    "2026-06-01' OR 1=1 --",
  ]) {
    t.notOk(isBoundary(text), text);
    t.equal(failure(() => resolveWindow(utc, { from: text }, NOW)).code, 'INVALID_ARGUMENT', text);
  }
  for (const text of [
    '2026-06-01T10:00:00Z',
    '2026-06-01t10:00:00.123456z',
    '2026-06-01T10:00:00+05:45',
    '2024-02-29',
  ]) {
    t.ok(isBoundary(text), text);
  }
});

t.test('the offset counts, and fractions are cut to milliseconds', async (t) => {
  const window = resolveWindow(utc, { from: '2026-06-01T10:00:00.123999+05:30', to: '2026-06-01T10:00:00+04:00' }, NOW);
  t.equal(window.from, '2026-06-01T04:30:00.123Z');
  t.equal(window.to, '2026-06-01T06:00:00.000Z');
});

t.test('exactly 90 x 86,400 s passes, one second more is refused', async (t) => {
  const from = '2026-01-01T00:00:00Z';
  t.equal(resolveWindow(utc, { from, to: '2026-04-01T00:00:00Z' }, NOW).seconds, 7_776_000);
  const error = failure(() => resolveWindow(utc, { from, to: '2026-04-01T00:00:01Z' }, NOW));
  t.equal(error.code, 'WINDOW_TOO_LARGE');
  t.same(error.details, { max_days: 90, requested_seconds: 7_776_001 });
});

t.test('90 business dates pass whatever the clocks do, 91 are refused', async (t) => {
  const london = businessCalendar('Europe/London', '00:00');
  // Autumn adds an hour: 90 dates are 90 x 86,400 + 3,600 s.
  const window = resolveWindow(london, { from: '2025-09-01', to: '2025-11-29' }, NOW);
  t.equal(window.businessDays, 90);
  t.equal(window.seconds, 7_776_000 + 3600);
  t.equal(resolveWindow(utc, { from: '2026-01-01', to: '2026-03-31' }, NOW).businessDays, 90);
  t.equal(failure(() => resolveWindow(london, { from: '2025-09-01', to: '2025-11-30' }, NOW)).code, 'WINDOW_TOO_LARGE');
  t.equal(failure(() => resolveWindow(utc, { from: '2026-01-01', to: '2026-04-01' }, NOW)).code, 'WINDOW_TOO_LARGE');
  // One end a date and the other an instant: seconds count.
  t.equal(
    failure(() => resolveWindow(london, { from: '2025-09-01', to: '2025-11-30T00:00:00Z' }, NOW)).code,
    'WINDOW_TOO_LARGE',
  );
});

t.test('an empty, reversed or future window is refused with the field named', async (t) => {
  const same = failure(() => resolveWindow(utc, { from: '2026-06-01T00:00:00Z', to: '2026-06-01T00:00:00Z' }, NOW));
  t.same(same.details, {
    issues: [{ path: 'from', rule: 'order', message: '"from" must lie before "to".' }],
  });
  const inside = failure(() =>
    resolveWindow(utc, { from: '2026-06-02', to: '2026-06-01' }, NOW, { within: 'filters' }),
  );
  t.match(inside.details, { issues: [{ path: 'filters.from', rule: 'order' }] });
  t.equal(
    failure(() => resolveWindow(utc, { from: '2026-06-15T12:05:01Z', to: '2026-06-16' }, NOW)).code,
    'INVALID_ARGUMENT',
  );
  t.ok(resolveWindow(utc, { from: '2026-06-15T12:05:00Z', to: '2026-06-16' }, NOW));
  t.ok(
    resolveWindow(utc, { from: '2026-06-15', to: '2026-06-15' }, NOW),
    'today, through its end, though that lies ahead',
  );
});

t.test('properties of every accepted window', async () => {
  const zones = [
    'UTC',
    'Europe/London',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Africa/Cairo',
  ];
  const date = fc.integer({ min: 0, max: 7000 }).map((days) => Temporal.PlainDate.from('2007-01-01').add({ days }));
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom('00:00', '02:30', '23:59'),
      date,
      fc.integer({ min: 1, max: 90 }),
      (zone, cutover, first, days) => {
        const calendar = businessCalendar(zone, cutover);
        const last = first.add({ days: days - 1 });
        const start = calendar.startOf(first);
        const end = calendar.startOf(last.add({ days: 1 }));
        if (Temporal.Instant.compare(start, end) === 0) return; // a date that the zone skipped
        const window = resolveWindow(calendar, { from: first.toString(), to: last.toString() }, NOW);
        if (window.businessDays !== days) throw new Error('dates are miscounted');
        const instants = resolveWindow(calendar, { from: window.from, to: end.toString() }, NOW, { maxDays: 91 });
        if (instants.from !== window.from || instants.to !== window.to) throw new Error('dates and instants disagree');
      },
    ),
    { numRuns: 200 },
  );
});
