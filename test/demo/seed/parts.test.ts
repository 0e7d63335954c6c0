import fc from 'fast-check';
import t from 'tap';
import { demoCalendar, HOUR, MINUTE } from '../../../src/demo/seed/calendar.ts';
import { arrayText } from '../../../src/demo/seed/copy.ts';
import { decimal, fraction, share } from '../../../src/demo/seed/money.ts';
import { random } from '../../../src/demo/seed/prng.ts';

t.test('random numbers repeat for a stream, differ between streams, and keep to their range', async (t) => {
  const draw = (stream: string, seed?: number) => Array.from({ length: 8 }, () => random(stream, seed).int(0, 2 ** 31));
  t.same(draw('a'), draw('a'));
  t.notSame(draw('a'), draw('b'));
  t.notSame(draw('a'), draw('a', 1));
  fc.assert(
    fc.property(
      fc.integer(),
      fc.integer({ min: -1000, max: 1000 }),
      fc.integer({ min: 0, max: 5000 }),
      (seed, from, span) => {
        const value = random('range', seed).int(from, from + span);
        return Number.isInteger(value) && value >= from && value <= from + span;
      },
    ),
  );
  const rng = random('shares');
  const counts = new Map<string, number>();
  for (let i = 0; i < 40_000; i++) {
    const word = rng.weighted([
      ['one', 1],
      ['three', 3],
      ['never', 0],
    ] as const);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  t.equal(counts.get('never'), undefined);
  // Six standard deviations of the binomial distribution.
  t.ok(Math.abs(counts.get('one')! - 10_000) < 6 * Math.sqrt(40_000 * 0.25 * 0.75));
  const list = Array.from({ length: 100 }, (_, i) => i);
  const mixed = rng.shuffled(list);
  t.notSame(mixed, list);
  t.same(
    [...mixed].sort((a, b) => a - b),
    list,
  );
  t.match(rng.uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
});

t.test('money is written with the exponent of its currency and shared half up', async (t) => {
  t.equal(decimal(115_000n, 'AED'), '1150.00');
  t.equal(decimal(-5n, 'AED'), '-0.05');
  t.equal(decimal(7n, 'BHD'), '0.007');
  t.equal(decimal(1234n, 'JPY'), '1234');
  t.equal(fraction(17_500), '0.017500');
  // 0.5 and 1.5 minor units go up.
  t.equal(share(50n, 10_000), 1n);
  t.equal(share(150n, 10_000), 2n);
  t.equal(share(149n, 10_000), 1n);
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.integer({ min: 0, max: 999_999 }), (minor, ppm) => {
      const twice = 2n * (share(minor, ppm) * 1_000_000n - minor * BigInt(ppm));
      return twice > -1_000_000n && twice <= 1_000_000n;
    }),
  );
});

t.test(
  'days are business days of Dubai, and the pilot push is the newest 21:10 UTC that lies back far enough',
  async (t) => {
    const calendar = demoCalendar(new Date('2026-03-01T19:59:59Z'));
    t.equal(new Date(calendar.asOf).toISOString(), '2026-03-01T19:00:00.000Z');
    t.same([0, -1, -14].map(calendar.date), ['2026-03-01', '2026-02-28', '2026-02-15']);
    t.equal(calendar.at(-2, '23:59:58'), Date.parse('2026-02-27T19:59:58Z'));
    t.same([calendar.at(-2, '23:59:58'), calendar.at(-1, '00:00'), calendar.asOf].map(calendar.dayOf), [-2, -1, 0]);
    t.throws(() => calendar.date(-41), RangeError);
    for (let hour = 0; hour < 24; hour++) {
      const each = demoCalendar(new Date(Date.UTC(2026, 1, 28, 20 + hour)));
      t.equal(each.date(0), '2026-03-01', `hour ${hour} of the day`);
      const evening = new Date(each.pilotPush).toISOString();
      t.ok(evening.endsWith('T21:10:00.000Z'));
      const back = each.asOf - each.pilotPush;
      t.ok(back >= 30 * MINUTE && back < 24 * HOUR + 30 * MINUTE, evening);
    }
  },
);

t.test('array text survives quotes and backslashes', async (t) => {
  t.equal(arrayText(['a "b"', 'c\\d']), '{"a \\"b\\"","c\\\\d"}');
});
