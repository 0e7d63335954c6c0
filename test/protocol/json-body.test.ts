import fc from 'fast-check';
import t from 'tap';
import { MAX_DEPTH, MAX_MEMBERS, parseJsonBody } from '../../src/protocol/json-body.ts';

const parse = (text: string) => parseJsonBody(Buffer.from(text));
const reason = (text: string) => {
  const body = parse(text);
  return body.ok ? 'ok' : body.reason;
};
const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];

t.test('what JSON.stringify writes is read back as it was', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const text = JSON.stringify(value, null, space);
      const body = parse(text);
      if (FORBIDDEN.some((name) => text.includes(name))) return;
      if (!body.ok) throw new Error(`${body.reason}: ${text}`);
      if (JSON.stringify(body.value) !== JSON.stringify(value)) throw new Error(text);
    }),
    { numRuns: 2_000 },
  );
  t.pass('holds for every generated body');
});

t.test('text is accepted only if JSON.parse accepts it too', async (t) => {
  let accepted = 0;
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"b"',
    '"\\"',
    '1',
    '-',
    'null',
    ' ',
    '\\',
    '"',
    'é',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const body = parse(text);
      if (!body.ok) return;
      accepted++;
      if (JSON.stringify(JSON.parse(text)) !== JSON.stringify(body.value)) throw new Error(text);
    }),
    { numRuns: 5_000, seed: 7 },
  );
  t.ok(accepted > 0);
});

/** JSON text of an object whose members come from a list, so that a name may come twice. */
const members = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', '\u0061x', 'é', ''), fc.integer()), { maxLength: 6 });

t.test('an object with a name twice is refused, however the name is spelt, and only such', async (t) => {
  const spell = (name: string, escaped: boolean) =>
    escaped
      ? `"${[...name].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
      : JSON.stringify(name);
  fc.assert(
    fc.property(
      members,
      fc.boolean(),
      fc.constantFrom('X', '[X]', '{"in":X}', '{"in":[1,X]}'),
      (list, escaped, around) => {
        const text = `{${list.map(([name, n], i) => `${spell(name, escaped && i % 2 === 0)} : ${n}`).join(',')}}`;
        const twice = new Set(list.map(([name]) => name)).size < list.length;
        const got = reason(around.replace('X', text));
        if (got !== (twice ? 'duplicate_member' : 'ok')) throw new Error(`${got}: ${text}`);
      },
    ),
    { numRuns: 2_000 },
  );
  t.pass('holds for every generated body');
});

t.test('names that reach prototypes are refused as names and allowed as values', async (t) => {
  for (const name of FORBIDDEN) {
    t.equal(reason(`{"a":[{"${name}":1}]}`), 'forbidden_member');
    t.equal(reason(`{"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}":1}`), 'forbidden_member');
    t.equal(reason(`{"a":"${name}"}`), 'ok');
    t.equal(reason(`["${name}" , 1]`), 'ok');
    t.equal(reason(`{"x${name}":1}`), 'ok');
  }
});

t.test('the same name in different objects is no duplicate', async (t) => {
  t.equal(reason('{"a":{"a":{"a":[{"a":1},{"a":2}]}},"b":{"a":1}}'), 'ok');
  t.equal(reason('{"a":"a","b":"a:"}'), 'ok');
  t.equal(reason('{"a":"\\\\","b":1,"\\"":2,"\\\\\\"":3}'), 'ok');
});

t.test('depth and size have limits at the stated values', async (t) => {
  const nest = (n: number) => '['.repeat(n) + ']'.repeat(n);
  t.equal(reason(nest(MAX_DEPTH)), 'ok');
  t.equal(reason(nest(MAX_DEPTH + 1)), 'too_deep');
  t.equal(reason('{"a":'.repeat(MAX_DEPTH + 1)), 'too_deep');
  t.equal(reason('['.repeat(2_000_000)), 'too_deep');
  const list = (n: number) => `[${Array.from({ length: n }, () => '{}').join(',')}]`;
  t.equal(reason(list(MAX_MEMBERS)), 'ok');
  t.equal(reason(list(MAX_MEMBERS + 1)), 'too_many_members');
  const object = (n: number) => `{${Array.from({ length: n }, (_, i) => `"k${i}":0`).join(',')}}`;
  t.equal(reason(object(MAX_MEMBERS)), 'ok');
  t.equal(reason(object(MAX_MEMBERS + 1)), 'too_many_members');
});

t.test('bytes that are no UTF-8 text of JSON', async (t) => {
  t.equal(reason(''), 'empty');
  t.equal(reason('\ufeff{}'), 'byte_order_mark');
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xc0, 0xaf, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
    [0xff, 0xfe, 0x7b, 0],
  ]) {
    const body = parseJsonBody(Uint8Array.from(bytes));
    t.equal(body.ok ? 'ok' : body.reason, 'invalid_utf8');
  }
  for (const text of [
    '{',
    '}',
    '{"a"}',
    '{"a":}',
    '[1,]',
    '{,}',
    "{'a':1}",
    'NaN',
    '01',
    '"\n"',
    '{} x',
    '"\\x"',
    '"\\u12"',
    '"',
  ])
    t.equal(reason(text), 'invalid_json', text);
  t.equal(reason('{"\\ud800":1}'), 'ok', 'a lone surrogate written as an escape is text like any other');
});
