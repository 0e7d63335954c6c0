import fc from 'fast-check';
import t from 'tap';
import { parseInstant, parseInt8, serialiseInstant } from '../../src/storage/wire.ts';

t.test('instants are cut to milliseconds, never rounded up into the next', (t) => {
  t.equal(parseInstant('2026-01-01 23:59:59.999999'), '2026-01-01T23:59:59.999Z');
  t.equal(parseInstant('2026-01-01 00:00:00'), '2026-01-01T00:00:00.000Z');
  t.equal(parseInstant('2026-01-01 00:00:00.5+00'), '2026-01-01T00:00:00.500Z');
  t.equal(parseInstant('infinity'), 'infinity');
  t.end();
});

t.test('an instant of another zone is an error, not a shifted value', (t) => {
  for (const text of ['2026-01-01 00:00:00+04', '2026-01-01 00:00:00-05:30', '01/02/2026', '2026-01-01 00:00:00 BC']) {
    t.throws(() => parseInstant(text), RangeError, text);
  }
  for (const value of ['2026-01-01T00:00:00+04:00', '2026-01-01T00:00:00', '2026-01-01', '', 17]) {
    t.throws(() => serialiseInstant(value), TypeError, String(value));
  }
  t.end();
});

t.test('what JavaScript writes comes back the same', (t) => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
      (date) => {
        const iso = date.toISOString();
        t.equal(serialiseInstant(date), iso);
        return parseInstant(serialiseInstant(iso).replace('T', ' ').replace('Z', '')) === iso;
      },
    ),
    { numRuns: 200 },
  );
  t.end();
});

t.test('integers of 8 bytes keep their value', (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
      const parsed = parseInt8(String(value));
      return BigInt(parsed) === value;
    }),
  );
  t.equal(parseInt8('9007199254740991'), 9007199254740991);
  t.equal(parseInt8('9007199254740992'), '9007199254740992');
  t.end();
});
