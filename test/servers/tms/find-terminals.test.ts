import t from 'tap';
import { findTerminals as tool } from '../../../src/servers/tms/tools/find-terminals.ts';
import { terminal } from '../../support/fleet.ts';
import { startPostgres } from '../../support/postgres.ts';
import { toolWorld } from '../../support/tool-runner.ts';

t.setTimeout(120_000);
const pg = await startPostgres();
t.teardown(() => pg.stop());
const world = await toolWorld(pg);
t.teardown(() => world.close());
const { owner } = world;
const find = async (filters: Record<string, unknown>, more: Record<string, unknown> = {}) => {
  const answer = await world.run(tool, { filters, ...more });
  const rows = answer.data['terminals'] as { serial_number: string; last_seen_at: string | null }[];
  return { ...answer, serials: rows.map((row) => row.serial_number), rows, total: answer.data['total'] };
};

await terminal(owner, 'A1', {
  vendor: 'Novapos',
  model: 'N5',
  group_name: 'pilot',
  merchant_id: 'M1',
  mid: '1',
  last_seen_at: '2026-01-03T00:00:00Z',
});
await terminal(owner, 'A2', {
  vendor: 'Novapos',
  model: 'N7',
  group_name: 'north',
  merchant_id: 'M2',
  mid: '2',
  last_seen_at: '2026-01-02T00:00:00Z',
});
await terminal(owner, 'B1', {
  vendor: 'Kestrel',
  model: 'K200',
  area: 'south',
  tier: 'gold',
  merchant_id: 'X',
  mid: 'M1',
  status: 'offline',
  last_seen_at: '2026-01-01T20:00:00Z',
});
await terminal(owner, 'B2', {
  vendor: null,
  model: null,
  area: null,
  group_name: null,
  merchant_id: null,
  mid: null,
  tier: null,
  last_seen_at: null,
  app_version: null,
});
await terminal(owner, '%odd_\\one', { merchant_id: 'M9', vendor: 'Kestrel', last_seen_at: '2026-01-01T00:00:00Z' });

t.test('filters are all required, and a list means any of its values', async (t) => {
  t.same((await find({})).serials.length, 5);
  t.same((await find({ vendor: 'Novapos' })).serials, ['A1', 'A2']);
  t.same((await find({ vendor: 'Novapos', model: 'N7' })).serials, ['A2']);
  t.same((await find({ model: ['N7', 'K200'] })).serials, ['A2', 'B1']);
  t.same((await find({ group: 'pilot' })).serials, ['A1']);
  t.same((await find({ tier: 'gold', area: 'south', status: ['offline', 'unknown'] })).serials, ['B1']);
  t.same((await find({ app_version: '2.7.0', status: 'online', vendor: 'Novapos' })).serials, ['A1', 'A2']);
  t.same((await find({ merchant: 'M1' })).serials, ['A1', 'B1'], 'merchant id or mid');
});

t.test('a value found nowhere is an empty list, and quotes are only characters', async (t) => {
  for (const vendor of ["x' OR '1'='1", 'novapos', '%', "'; drop table tms_terminals; --"]) {
    const found = await find({ vendor });
    t.same(found.serials, []);
    t.equal(found.total, 0);
  }
});

t.test('a prefix is text, not a pattern', async (t) => {
  t.same((await find({ serial_prefix: '%' })).serials, ['%odd_\\one']);
  t.same((await find({ serial_prefix: '%odd_\\' })).serials, ['%odd_\\one']);
  t.same((await find({ serial_prefix: '%odd%' })).serials, []);
  t.same((await find({ serial_prefix: 'A_' })).serials, []);
  t.same((await find({ serial_prefix: ['A', 'B1'] })).serials, ['A1', 'A2', 'B1']);
});

t.test('last contact before and after, half-open', async (t) => {
  t.same((await find({ last_seen_after: '2026-01-02T00:00:00Z' })).serials, ['A1', 'A2']);
  t.same((await find({ last_seen_before: '2026-01-02T00:00:00Z', vendor: ['Novapos', 'Kestrel'] })).serials.length, 2);
  const dubai = await toolWorld(pg, { timeZone: 'Asia/Dubai', database: world.database });
  t.teardown(() => dubai.close());
  const { data } = await dubai.run(tool, {
    filters: { last_seen_after: '2026-01-02', last_seen_before: '2026-01-03' },
  });
  t.match(
    data['terminals'],
    [{ serial_number: 'A2' }, { serial_number: 'B1' }],
    'the business day of Dubai begins at 20:00 UTC',
  );
});

t.test('sorted by last contact: newest first, never seen last, and paging passes the change', async (t) => {
  const seen: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await find({}, { sort: 'last_seen_at', limit: 2, ...(cursor ? { cursor } : {}) });
    seen.push(...page.serials);
    cursor = page.provenance.caps?.next_cursor;
  } while (cursor);
  t.same(seen, ['A1', 'A2', 'B1', '%odd_\\one', 'B2']);
});

t.test('501 matching give 500 and a cursor to the last one', async (t) => {
  await owner`
    insert into tms_terminals (serial_number, vendor, status, inserted_at, updated_at)
    select 'Z' || i, 'Many', 'online', now(), now() from generate_series(1, 501) i`;
  const first = await find({ vendor: 'Many' }, { limit: 500 });
  t.equal(first.serials.length, 500);
  t.equal(first.total, 501);
  t.equal(first.data['total_is_exact'], true);
  const second = await find({ vendor: 'Many' }, { limit: 500, cursor: first.provenance.caps?.next_cursor });
  t.equal(new Set([...first.serials, ...second.serials]).size, 501);
  t.equal((await find({ vendor: 'Many' })).serials.length, 100, 'the default');
  for (const other of [{ sort: 'last_seen_at' }, { filters: { vendor: 'Other' } }]) {
    const args = { filters: { vendor: 'Many' }, cursor: first.provenance.caps?.next_cursor, ...other };
    t.equal((await world.refusal(tool, args)).code, 'INVALID_ARGUMENT');
  }
});

t.test('a count beyond 10,000 says that it is not exact', async (t) => {
  const big = await toolWorld(pg);
  t.teardown(() => big.close());
  await big.owner`
    insert into tms_terminals (serial_number, status, inserted_at, updated_at)
    select 'Y' || i, 'online', now(), now() from generate_series(1, 10001) i`;
  t.match((await big.run(tool, { filters: {}, limit: 1 })).data, { total: 10_000, total_is_exact: false });
  await big.owner`delete from tms_terminals where serial_number = 'Y1'`;
  t.match((await big.run(tool, { filters: {}, limit: 1 })).data, { total: 10_000, total_is_exact: true });
});

t.test('arguments that do not fit are refused, and a misspelt filter is named', async (t) => {
  for (const args of [
    {},
    { filters: { vendor: [] } },
    { filters: { vendor: '' } },
    { filters: { vendor: 'a\u0000' } },
    { filters: { vendor: Array(51).fill('a') } },
    { filters: { tier: 'x'.repeat(17) } },
    { filters: { status: 'gone' } },
    { filters: { last_seen_before: 'soon' } },
    { filters: {}, sort: 'vendor' },
    { filters: {}, limit: 0 },
  ]) {
    t.equal((await world.refusal(tool, args)).code, 'INVALID_ARGUMENT', JSON.stringify(args));
  }
  const error = await world.refusal(tool, { filters: { vendr: 'x' } });
  t.match(error.details, { issues: [{ path: 'filters.vendr', rule: 'unknown_field' }] });
});

t.test('two statements', async (t) => {
  t.equal((await world.record(tool, { filters: {} })).statements.length, 2);
});
