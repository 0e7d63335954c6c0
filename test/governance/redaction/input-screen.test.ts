import t from 'tap';
import { type ScreenOptions, screenArguments } from '../../../src/governance/redaction/index.ts';

const PAN = '4111111111111111';
const find = (args: unknown, options: ScreenOptions = {}): unknown => {
  const result = screenArguments(args, options);
  return result.ok ? result.findings : result.reason;
};

t.test('card numbers and tracks in any argument are named by path and kind', async (t) => {
  t.same(
    find({
      notes: `card ${PAN}`,
      list: [{ x: `;${PAN}=3012101?` }],
      n: Number(PAN),
      big: Number('4111111111111111111'),
    }),
    [
      { path: ['notes'], kind: 'pan' },
      { path: ['list', 0, 'x'], kind: 'track' },
      { path: ['n'], kind: 'pan' },
      { path: ['big'], kind: 'pan' },
    ],
  );
});

t.test('a finding never carries the value, not even as a key', async (t) => {
  const findings = find({ [PAN]: { x: PAN } });
  t.notMatch(JSON.stringify(findings), /4111111/);
  t.same(findings, [
    { path: ['[PAN ****1111]'], kind: 'pan' },
    { path: ['[PAN ****1111]', 'x'], kind: 'pan' },
  ]);
});

t.test('ordinary arguments pass', async (t) => {
  t.same(
    find({
      rrn: '900100000010',
      from: '2026-01-01T00:00:00Z',
      id: '550e8400-e29b-41d4-a716-446655440000',
      n: 1735689600003,
      note: 'cvv 123',
      d: 0.4111111111111111,
    }),
    [],
  );
});

t.test('exact-match identifiers may look like a card, never like a track', async (t) => {
  const exempt: ScreenOptions = { exempt: (path) => path[0] === 'serial_number' || path[0] === 'mid' };
  t.same(find({ serial_number: PAN, mid: '378282246310005' }, exempt), []);
  t.same(find({ serial_number: `;${PAN}=3012101?`, notes: PAN }, exempt), [
    { path: ['serial_number'], kind: 'track' },
    { path: ['notes'], kind: 'pan' },
  ]);
});

t.test('JSON text is parsed first; decimals and numbers are no cards on neqsim, strings are', async (t) => {
  const neqsim: ScreenOptions = { stringsOnly: true, jsonText: (path) => path[0] === 'processJson' };
  t.same(
    find({ processJson: '{"x": 0.4111111111111111, "n": 4111111111111111, "l": 4111111111111111110}' }, neqsim),
    [],
  );
  t.same(find({ processJson: `{"name": "unit ${PAN}", "k": {"${PAN}": 1}}` }, neqsim), [
    { path: ['processJson', 'name'], kind: 'pan' },
    { path: ['processJson', 'k', '[PAN ****1111]'], kind: 'pan' },
  ]);
  t.same(find({ processJson: String.raw`{"name": "\u0034111111111111111"}` }, neqsim), [
    { path: ['processJson', 'name'], kind: 'pan' },
  ]);
  t.same(find({ processJson: '[0.4111111111111111, 0.5' }, neqsim), [], 'text that is no JSON, with decimals');
  t.same(
    find({ processJson: `[${PAN}` }, neqsim),
    [{ path: ['processJson'], kind: 'pan' }],
    'text that is no JSON, with a number',
  );
  t.same(
    find({ processJson: `{"name": "${PAN}"}` }, neqsim),
    [{ path: ['processJson', 'name'], kind: 'pan' }],
    'a number in quotes is text',
  );
  t.same(find({ processJson: PAN }, neqsim), [{ path: ['processJson'], kind: 'pan' }]);
  t.same(find({ processJson: `"${PAN}"` }, neqsim), [{ path: ['processJson'], kind: 'pan' }]);
});

t.test('JSON text elsewhere keeps all digits of long numbers', async (t) => {
  t.same(find({ doc: '{"a": 6273519027351902735, "b": 4111111111111111}' }, { jsonText: () => true }), [
    { path: ['doc', 'b'], kind: 'pan' },
  ]);
});

t.test('never-return names are findings where asked', async (t) => {
  const options: ScreenOptions = { forbiddenNames: (path) => path[0] === 'evidence' };
  t.same(find({ token: 'x', evidence: { facts: { cvv: 1 }, summary: 'ok' } }, options), [
    { path: ['evidence', 'facts', 'cvv'], kind: 'forbidden_name' },
  ]);
});

t.test('a number parted by unusual signs is refused, a labelled PIN block is left to the scrubber', async (t) => {
  t.same(find({ note: 'x 4111,1111,1111,1111' }), [{ path: ['note'], kind: 'pan' }]);
  t.same(find({ note: `4${'\u0301'}${'1\u0301'.repeat(15)}` }), [{ path: ['note'], kind: 'pan' }]);
  t.same(find({ note: 'pin block 041234FFFFFFFFFF', list: '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]' }), []);
});

t.test('failure is a typed result', async (t) => {
  t.equal(find({ a: 'x' }, { deadlineMs: 0 }), 'deadline');
  t.equal(find(JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`)), 'too_deep');
  t.equal(
    find(
      { a: PAN },
      {
        exempt: () => {
          throw new Error('x');
        },
      },
    ),
    'failed',
  );
});
