import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import t from 'tap';
import * as gateway from '../../src/storage/schema/gateway.ts';
import * as mcpOps from '../../src/storage/schema/mcp-ops.ts';
import * as mms from '../../src/storage/schema/mms.ts';
import { obanJobs, obanJobsIn } from '../../src/storage/schema/oban.ts';
import * as outbox from '../../src/storage/schema/outbox.ts';
import * as product from '../../src/storage/schema/product.ts';
import * as risk from '../../src/storage/schema/risk.ts';
import * as settlement from '../../src/storage/schema/settlement.ts';
import * as live from '../../src/storage/schema/switch.ts';
import { startPostgres } from '../support/postgres.ts';

t.setTimeout(120_000);
const pg = await startPostgres();
t.teardown(() => pg.stop());

const SECRET = /encrypt|hash_pan|track|password|token|iban|^email$|pin_|cvv|expiry/;

t.test('columns with secrets cannot be expressed with the tables given to tools', (t) => {
  // Each line below fails to compile if the column ever appears in the table; the type check is part of the test command.
  const unreachable = [
    // @ts-expect-error
    live.posTransaction.encryptedPan,
    // @ts-expect-error
    live.posTransaction.hashPan,
    // @ts-expect-error
    live.posTransaction.encryptedTrack2,
    // @ts-expect-error
    live.posTransaction.encryptedExpiry,
    // @ts-expect-error
    live.posTransactionReversal.originalEncryptedPan,
    // @ts-expect-error
    live.posTransactionReversal.originalEncryptedExpiryDate,
    // @ts-expect-error
    live.posFailedTransaction.encryptedPan,
    // @ts-expect-error
    mms.users.passwordHash,
    // @ts-expect-error
    mms.users.resetToken,
    // @ts-expect-error
    mms.users.email,
    // @ts-expect-error
    mms.userMetadata.iban,
  ];
  for (const column of unreachable) t.equal(column, undefined);
  for (const module of [live, mms, product, risk, settlement]) {
    for (const table of Object.values(module)) {
      if (!is(table, PgTable)) continue;
      for (const column of Object.values(getTableColumns(table))) {
        if (column.name === 'is_secret') continue;
        t.notMatch(column.name, SECRET, `${getTableName(table)}.${column.name}`);
      }
    }
  }
  t.end();
});

t.test('every table described here is the table in the database', async (t) => {
  const sets = [
    ['product', [product, live, { obanJobs }, mcpOps, outbox]],
    ['settlement', [settlement, mcpOps]],
    ['risk', [risk, mcpOps]],
    ['mms', [mms]],
    ['gateway', [gateway]],
  ] as const;
  for (const [kind, modules] of sets) {
    const sql = pg.connect((await pg.database(kind)).owner);
    const rows = await sql<{ key: string; type: string; required: boolean }[]>`
      select n.nspname || '.' || c.relname || '.' || a.attname as key, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where a.attnum > 0 and not a.attisdropped and c.relkind = 'r'`;
    const actual = new Map(rows.map((row) => [row.key, row]));
    for (const table of modules.flatMap((module) => Object.values(module))) {
      if (!is(table, PgTable)) continue;
      const { schema } = getTableConfig(table);
      for (const column of Object.values(getTableColumns(table))) {
        const key = `${schema ?? 'public'}.${getTableName(table)}.${column.name}`;
        const found = actual.get(key);
        t.ok(found, key);
        t.equal(baseType(found?.type ?? ''), baseType(column.getSQLType()), `type of ${key}`);
        if (column.notNull) t.equal(found?.required, true, `${key} is never null`);
      }
    }
  }
});

/** One spelling for types, so that the two descriptions compare. */
function baseType(type: string): string {
  return type
    .replace('character varying', 'varchar')
    .replace('character', 'char')
    .replace('bigserial', 'bigint')
    .replace(/^oban_job_state$/, 'text')
    .replace(/^timestamp(\(\d\))?( without time zone)?$/, 'timestamp')
    .replace(/\s/g, '');
}

t.test('the job table follows the configured Oban schema', (t) => {
  t.equal(obanJobsIn('public'), obanJobs);
  t.equal(getTableConfig(obanJobsIn('oban')).schema, 'oban');
  t.same(Object.keys(getTableColumns(obanJobsIn('oban'))), Object.keys(getTableColumns(obanJobs)));
  t.end();
});
