import t from 'tap';
import { findSensitive, scrubText } from '../../../src/governance/redaction/index.ts';
import { everyShape, invisible, separators, unusual, withCheckDigit } from './cards.ts';

const scrub = (text: string): string => scrubText(text).text;
const PAN = '4111111111111111';

t.test('a card number of every brand and length is cut to its last four', async (t) => {
  for (const pan of everyShape) t.equal(scrub(`card ${pan}, ok`), `card [PAN ****${pan.slice(-4)}], ok`, pan);
});

t.test('every separator, alone and doubled, joins groups', async (t) => {
  for (const one of separators) {
    for (const gap of [one, one + one, `${one} `]) {
      t.equal(scrub(`x ${['4111', '1111', '1111', '1111'].join(gap)}, y`), 'x [PAN ****1111], y', JSON.stringify(gap));
    }
  }
  t.equal(scrub([...PAN].join(' ')), '[PAN ****1111]', 'every digit apart');
  t.equal(scrub('4111 1111\r\n1111 1111'), '[PAN ****1111]', 'broken over two lines');
  t.equal(scrub('4111   1111   1111   1111'), '4111   1111   1111   1111', 'three separators part numbers');
});

t.test('digits of other scripts and invisible characters do not hide a number', async (t) => {
  t.equal(
    scrub('\uff14\uff11\uff11\uff11 \uff11\uff11\uff11\uff11 \uff11\uff11\uff11\uff11 \uff11\uff11\uff11\uff11'),
    '[PAN ****1111]',
    'full width',
  );
  t.equal(
    scrub('\u0664\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661'),
    '[PAN ****1111]',
    'Arabic-Indic',
  );
  t.equal(scrub(`${'\u2463'}${'\u2460'.repeat(15)}`), '[PAN ****1111]', 'circled');
  t.equal(scrub(`${'\u{1d7dc}'}${'\u{1d7d9}'.repeat(15)}`), '[PAN ****1111]', 'double-struck');
  t.match(scrub(`4\ufe0f\u20e3${'1\ufe0f\u20e3'.repeat(15)}`), /^\[PAN \*{4}1111\]\D*$/, 'keycap emoji');
  for (const hidden of invisible) {
    t.equal(scrub(`ref ${[...PAN].join(hidden)}!`), 'ref [PAN ****1111]!', JSON.stringify(hidden));
  }
  t.equal(
    scrub('\u0639\u0645\u064a\u0644 4111 1111 1111 1111 \u0634\u0643\u0631\u0627'),
    '\u0639\u0645\u064a\u0644 [PAN ****1111] \u0634\u0643\u0631\u0627',
    'text around stays',
  );
  t.equal(
    scrub('\u{1f4b3}4111111111111111\u{1f4b3}'),
    '\u{1f4b3}[PAN ****1111]\u{1f4b3}',
    'surrogate pairs around stay',
  );
});

t.test('signs outside the list of separators do not hide a number in a printed layout', async (t) => {
  for (const sign of unusual) {
    const scrubbed = [
      ['4111', '1111', '1111', '1111'].join(sign),
      [...PAN].join(sign),
      [...PAN].map((digit) => digit + sign).join(''),
      `card:${['4111', '1111', '1111', '1111'].join(sign)}`,
      ['4111', '1111 1111', '1111'].join(sign),
    ].map(scrub);
    for (const text of scrubbed)
      t.match(text, /^(card:)?\[PAN \*{4}1111\]\D?\D?$/u, `U+${sign.codePointAt(0)?.toString(16)}`);
  }
  t.equal(scrub('3782,822463,10005'), '[PAN ****0005]', '4-6-5');
  t.equal(scrub('4111, 1111, 1111, 1111, 1230'), '[PAN ****1111], 1230', 'expiry behind it');
  t.equal(scrub('[4111][1111][1111][1111]'), '[[PAN ****1111]]');
  t.equal(scrub('41111111~11111111 411111+1111111111'), '[PAN ****1111] [PAN ****1111]', 'any groups, rare signs');
  t.same(
    findSensitive('x 4111:1111:1111:1111').map(({ kind, start }) => [kind, start]),
    [['pan', 2]],
  );
});

t.test('lists, times, addresses and amounts are no card numbers', async (t) => {
  const kept = {
    'list of digits': `[${[...PAN, ...PAN].join(',')}]`,
    'list of digits with blanks': [...PAN, ...PAN].join(', '),
    'list of years': '2022, 2023, 2024, 2025, 2026, 2027, 2028',
    'list that holds a card number': '5411, 4111, 1111, 1111, 1111, 5812, 5999',
    'list by bars': '5411|4111|1111|1111|1111|5812|5999',
    counting: '1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20',
    'sum of counts': '1+2+3+4+5+6+7+8+9+10+11+12+13+14+15',
    times: '12:34:56:78:90:12:34:56',
    'card number in pairs, as a hex dump': '41:11:11:11:11:11:11:11',
    'list of times': '41:11:11, 11:11:11, 11:11',
    'thousands passing Luhn': '4,222,222,222,222',
    'Swiss thousands passing Luhn': "4'222'222'222'222",
    'full IPv6 address': '2001:0db8:4111:1111:1111:1111:0000:0001',
    'IPv6 address': '2001:4860:4860:0000:0000:0000:0000:8888',
    'short IPv6 address': '2001:4860:4860::8888',
    'MAC addresses': '41:11:11:11:11:11, 41:11:11:11:11:11',
    ratios: '16:9, 4:3, 21:9, 16:10, 3:2, 5:4, 1:1',
    'hex dump': '0x41, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11',
    instants: '2026-01-01T00:00:00.000Z,2026-01-31T10:20:30.123Z',
    dates: '2026-01-01, 2026-01-31; 2026-10-12',
    versions: '4.2.0, 4.3.1, 4.3.2, 5.0.0, 5.1.0',
    'terminal identifiers': '41111111, 11111111',
    coordinates: '(41.1111, 11.1111), (55.2708, 25.2048)',
    'four digits of a marker': '[PAN ****4111],1111,1111,1111',
    'three signs between': '4111 | 1111 | 1111 | 1111',
    'Luhn failing': '4111,1111,1111,1112',
    'no brand': '9999,9999,9999,9995',
  };
  for (const [what, text] of Object.entries(kept)) t.equal(scrub(text), text, what);
});

t.test('what only resembles a card number stays', async (t) => {
  const kept = {
    'UUID of digits only': '41111111-1111-4111-8111-111111111111',
    'UUID in a sentence': 'hit 550e8400-e29b-41d4-a716-446655440000 closed',
    'ISO time': '2026-01-01T00:00:00.000Z',
    'ISO time with nanoseconds and offset': '2026-11-30T23:59:59.123456789-05:00',
    'ISO time with blank': '2026-01-01 10:20:30.123456',
    'two dates': '2026-01-01 2026-01-31 2026-10-12 2026-11-30',
    'date range with dots': '2026-01-01..2026-03-31',
    'time stamp in a file name': 'dump_20260101_123456.csv',
    'epoch milliseconds passing Luhn': withCheckDigit('173568960000'),
    'epoch microseconds passing Luhn': withCheckDigit('173568960000000'),
    'YYYYMMDDhhmmss passing Luhn': withCheckDigit('2026010112345'),
    RRN: '900100000013',
    STAN: '123456',
    '12 digits': '411111111111',
    '16 digits failing Luhn': '1234 5678 9012 3456',
    'card shape failing Luhn': '4111111111111112',
    'ARN of 23 digits': '74537600000000000000012',
    'first digit 0': '0000 0000 0000 0000',
    'phone numbers': '+971 4 123 4567, +971 50 765 4321',
    money: 'AED 1,234,567.89',
    'version and address': 'version 4.2.0 at 192.168.100.101',
    'masked number': '411111******1111',
    'our own marker': '[PAN ****1111] [TRACK REMOVED] cvv ***',
  };
  for (const [what, text] of Object.entries(kept)) t.same(scrubText(text), { text, redactions: 0, kinds: [] }, what);
});

t.test('unseparated numbers must look like a card', async (t) => {
  const epoch = withCheckDigit('173568960000');
  t.equal(scrub(epoch), epoch, '13 digits outside the brands');
  t.equal(
    scrub(`${epoch.slice(0, 10)} ${epoch.slice(10)}`),
    `[PAN ****${epoch.slice(-4)}]`,
    'the same digits in groups',
  );
  t.equal(scrub('4222222222222'), '[PAN ****2222]', '13 digits, Visa');
  t.equal(scrub('123456789012347'), '[PAN ****2347]', '15 digits, first digit 1');
  t.equal(scrub('1234567890123452'), '1234567890123452', '16 digits, first digit 1');
  t.equal(scrub('9999999999999995'), '[PAN ****9995]', '16 digits, first digit 9');
});

t.test('a number hidden in a group of more than 19 digits is found by its brand', async (t) => {
  t.equal(scrub(`0000000${PAN}0000000`), '0000000[PAN ****1111]0000000');
  t.equal(scrub(`${PAN}${PAN}`), '[PAN ****1111][PAN ****1111]');
});

t.test('neighbouring groups neither hide a number nor rescue part of one', async (t) => {
  t.equal(scrub('4111 1111 1111 1111 5555 5555 5555 4444'), '[PAN ****1111] [PAN ****4444]');
  t.equal(scrub(`order 12 ${PAN}`), 'order 12 [PAN ****1111]');
  t.match(scrub('123456789012 4111 11111111 1111'), /^(123456789012 )?\[PAN \*{4}\d{4}\]$/);
});

t.test('track 1 is removed whole', async (t) => {
  const track = '%B4111111111111111^DOE/JANE^30121011234567890?';
  t.equal(scrub(`swiped ${track} ok`), 'swiped [TRACK REMOVED] ok');
  t.equal(scrub('b1234567890123^A B^3012101'), '[TRACK REMOVED]', 'lower case, no sentinels, no Luhn');
  t.equal(scrub('\uff05\uff224111111111111111\uff3eDOE/JANE\uff3e3012101'), '[TRACK REMOVED]', 'full width');
});

t.test('track 2 is removed whole', async (t) => {
  t.equal(scrub('t2 ;4111111111111111=30121011234567890? end'), 't2 [TRACK REMOVED] end');
  t.equal(scrub('4111111111111111D30121011234567890F'), '[TRACK REMOVED]');
  t.equal(scrub('4111111111111111d3012101f'), '[TRACK REMOVED]');
  t.equal(scrub('1234567890123=3012'), '[TRACK REMOVED]', 'no Luhn');
  t.equal(scrub('1234567890123=3013'), '1234567890123=3013', 'month 13 is no expiry');
  t.notMatch(scrub(`99999${PAN}=3012101`), /111/, 'more than 19 digits before the sign');
});

t.test('chip tags are removed whole', async (t) => {
  t.equal(scrub('9F02060000000010005A0841111111111111115F2A020784'), '9F0206000000001000[TRACK REMOVED]5F2A020784');
  t.equal(scrub('5A0A6200000000000000003F'), '[TRACK REMOVED]', '19 digits, padded');
  t.equal(scrub('57114111111111111111D30122010123456789'), '[TRACK REMOVED]');
  t.notMatch(scrub('57134111111111111111D3012201000012345678900F9F2701'), /4111|3012/);
  t.equal(scrub('5A084111'), '5A084111', 'a value cut short is no tag');
});

t.test('labelled codes lose their digits and keep their label', async (t) => {
  t.equal(scrub('cvv: 123, CVC2=4567 CID#1234'), 'cvv: ***, CVC2=*** CID#***');
  t.equal(scrub('PIN 4711 pin:123456'), 'PIN *** pin:***');
  t.equal(scrub('exp 12/30, Expiry date: 1230, exp date 12/2030'), 'exp ***, Expiry date: ***, exp date ***');
  t.equal(scrub('\uff23\uff36\uff36\uff1a\u0661\u0662\u0663'), '\uff23\uff36\uff36\uff1a***', 'in other scripts');
  t.equal(scrub('c\u200bvv 123'), 'c\u200bvv ***');
  t.equal(scrub('pin 123cvv 456'), 'pin ***cvv ***');
  t.equal(scrub('pin block 041234FFFFFFFFFF, ok'), 'pin block ***, ok');
  t.equal(scrub('PIN_BLOCK=0x3f9ac0de11aa55bb'), 'PIN_BLOCK=0x***');
  t.equal(scrub('encrypted_pinblock: 04 12 34 FF FF FF FF FF'), 'encrypted_pinblock: ***', 'bytes apart');
  t.equal(scrub(`"pin-block": "${'4A'.repeat(16)}"`), '"pin-block": "***"', '16 bytes');
  for (const text of ['pin block 041234', 'pin blocked 041234FFFFFFFFFF', 'spinblock 041234FFFFFFFFFF'])
    t.equal(scrub(text), text, text);
  for (const text of ['spin 123', 'pinned 123', 'cvv none', 'pin 12', 'expired 2026', 'the expiry'])
    t.equal(scrub(text), text, text);
});

t.test('findings tell kind and place in the original text, never the value', async (t) => {
  const text = '\u{1f600}\u200b\uff14111 1111 1111 1111 cvv 123';
  const findings = findSensitive(text);
  t.same(
    findings.map(({ kind }) => kind),
    ['pan', 'labelled_value'],
  );
  t.equal(text.slice(findings[0]?.start, findings[0]?.end), '\uff14111 1111 1111 1111');
  t.equal(text.slice(findings[1]?.start, findings[1]?.end), '123');
  t.same(Object.keys(findings[0] ?? {}).sort(), ['end', 'kind', 'start']);
});

t.test('decimals are left alone where told so', async (t) => {
  const text = '0.4111111111111111 and 41111111.11111111';
  t.equal(scrubText(text, { decimals: 'never' }).text, text);
  t.notMatch(scrub(text), /41111111/);
  t.equal(
    scrubText('4111.1111.1111.1111', { decimals: 'never' }).text,
    '[PAN ****1111]',
    'three points make no decimal',
  );
});
