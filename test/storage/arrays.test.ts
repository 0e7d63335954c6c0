import fc from 'fast-check';
import postgres from 'postgres';
import t from 'tap';
import { parseArray, serialiseArray, WIRE_TYPES } from '../../src/storage/wire.ts';
import { startPostgres } from '../support/postgres.ts';

const pg = await startPostgres();
const sql = postgres(pg.server.url('postgres'), { max: 1, fetch_types: false, types: WIRE_TYPES, onnotice: () => {} });
t.teardown(async () => {
  await sql.end({ timeout: 1 });
  await pg.stop();
});

const element = fc.oneof(
  fc.constantFrom(null, '', 'NULL', 'null', '{}', 'a,b', '"', '\\', '\\"', ' ', 'a\nb', 'é😀'),
  fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\u0000', '')),
);

t.test('arrays of text come back as they went in', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(element), async (list) => {
      const [row] = await sql.unsafe('select $1::text[] as list, cardinality($1::text[]) as n', [list as never]);
      t.same(row, { list, n: list.length });
      t.same(parseArray(serialiseArray(list)), list);
    }),
    { numRuns: 100 },
  );
});

t.test('arrays of the other types', async (t) => {
  const [row] = await sql`select array[1, null, -3] as ints, array[9007199254740993, 5]::bigint[] as wide,
    array['{"a": "x,y"}', '[1.50]']::jsonb[] as json, array['a']::varchar(3)[] as short,
    array['0b9bd1b2-5c8c-4f1f-9d1c-3f6f3a3b8f11']::uuid[] as ids, '{}'::text[] as none, null::text[] as missing`;
  t.same(row, {
    ints: [1, null, -3],
    wide: ['9007199254740993', 5],
    json: ['{"a": "x,y"}', '[1.50]'],
    short: ['a'],
    ids: ['0b9bd1b2-5c8c-4f1f-9d1c-3f6f3a3b8f11'],
    none: [],
    missing: null,
  });
  const [back] = await sql.unsafe('select $1::jsonb[] as json', [['{"a": "x,y"}', { b: '"' }] as never]);
  t.same(back, { json: ['{"a": "x,y"}', '{"b": "\\""}'] });
});

t.test('arrays of more than one dimension are an error', async (t) => {
  await t.rejects(sql`select array[['a'], ['b']] as list`, RangeError);
});
