import fc from 'fast-check';
import t from 'tap';
import { z } from 'zod';
import { compile, nearest, readArguments } from '../../src/kit/catalogue.ts';
import { canonicalJson, digest, isMarked, mark, markTree } from '../../src/kit/index.ts';
import { sampleActuator, sampleServer, sampleTool } from '../support/sample-tool.ts';

t.test('the listed schema is closed, and actuators get the control arguments', async (t) => {
  const { tools } = compile(sampleServer([sampleTool(), sampleActuator()]));
  const read = tools.get('get_widget')!.listed['inputSchema'] as Record<string, never>;
  t.equal(read['additionalProperties'], false);
  t.same(Object.keys(read['properties']!), ['number']);
  const write = tools.get('turn_widget')!.listed['inputSchema'] as Record<string, never>;
  t.same(Object.keys(write['properties']!), ['number', 'idempotency_key', 'reason'], 'T1 needs no approval_id');
});

t.test('the digest changes with any listed text and with nothing else', async (t) => {
  const one = compile(sampleServer([sampleTool()])).digest;
  t.equal(compile(sampleServer([sampleTool()])).digest, one);
  t.not(compile(sampleServer([sampleTool({ description: 'Reads one widget by its number!' })])).digest, one);
});

t.test('listed entries are frozen', async (t) => {
  const { tools } = compile(sampleServer([sampleTool()]));
  t.throws(() => {
    (tools.get('get_widget')!.listed['inputSchema'] as Record<string, unknown>)['type'] = 'string';
  });
});

t.test('a refusal names the field, the rule and the nearest legal name, at any depth', async (t) => {
  const schema = z.strictObject({ filters: z.strictObject({ vendor: z.string().optional() }), n: z.number() });
  const refused = readArguments(schema, { filters: { vendr: 'x' } });
  t.same(refused.ok ? [] : refused.issues.sort((a, b) => a.path.localeCompare(b.path)), [
    { path: 'filters.vendr', rule: 'unknown_field', message: 'unknown field; did you mean "vendor"?' },
    { path: 'n', rule: 'required', message: 'required' },
  ]);
});

t.test('absent arguments read as none', async (t) => {
  t.same(readArguments(z.strictObject({}), undefined), { ok: true, value: {} });
  for (const args of [null, [], 'x', 3]) t.equal(readArguments(z.strictObject({}), args).ok, false);
});

t.test('the nearest name is offered for misspellings only', async (t) => {
  t.equal(nearest('methan', ['methane', 'ethane']), 'methane');
  t.equal(nearest('zzz', ['methane']), null);
});

t.test('canonical JSON does not depend on member order or Unicode spelling', async (t) => {
  t.equal(canonicalJson({ b: 1, a: 'e\u0301' }), canonicalJson({ a: '\u00e9', b: 1 }));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const shuffled = Object.fromEntries(Object.entries(value).reverse());
      return digest(value) === digest(shuffled);
    }),
  );
});

t.test('marks are found through optional, array, record and union', async (t) => {
  const id = mark(z.string(), 'identifier');
  const tree = markTree(
    z.object({
      list: z.array(z.object({ rrn: id.nullable(), note: z.string() })),
      by: z.record(z.string(), z.object({ rrn: id })),
      either: z.union([z.object({ a: id }), z.object({ b: z.string() })]).optional(),
    }),
  );
  for (const path of [
    ['list', 0, 'rrn'],
    ['by', 'any', 'rrn'],
    ['either', 'a'],
  ])
    t.ok(isMarked(tree, path, ['identifier']), path.join('.'));
  for (const path of [['list', 0, 'note'], ['either', 'b'], ['list'], ['nothing', 'x']])
    t.notOk(isMarked(tree, path, ['identifier']), path.join('.'));
});
