import { createHash } from 'node:crypto';
import t, { type Test } from 'tap';
import { createAuditLog } from '../../../src/governance/audit/log.ts';
import { verifyAudit } from '../../../src/governance/audit/verify.ts';
import { entry, gatewayPool, quiet } from '../../support/governance.ts';
import { startPostgres } from '../../support/postgres.ts';

const pg = await startPostgres();
t.teardown(() => pg.stop());

/** A log of 12 records, changed by its owner, who alone can. */
async function tampered(t: Pick<Test, 'teardown' | 'ok'>, ...statements: string[]) {
  const database = await pg.database('gateway');
  const pool = gatewayPool(database.gateway);
  t.teardown(() => pool.close());
  const audit = createAuditLog({ pool, log: quiet, strict: 'writes' });
  for (let i = 1; i <= 12; i++) await audit.write(entry({ auditable: { amount: 0.1 }, approvers: ['é', 'b'] }));
  await audit.close();
  const before = await verifyAudit(pool);
  t.ok(before.ok);
  const owner = pg.connect(database.owner);
  for (const statement of statements) await owner.unsafe(statement);
  return { pool, owner, before };
}

const COLUMNS: Record<string, string> = {
  at: "at + interval '1 millisecond'",
  phase: "'started'",
  call_id: 'gen_random_uuid()',
  request_id: 'null',
  trace_id: "repeat('0', 32)",
  server: "'risk'",
  tool: "tool || ' '",
  tier: "'T1'",
  principal: "'someone else'",
  issuer: 'null',
  client: "'x'",
  on_behalf_of: "''",
  profile: "'A2'",
  policy_version: "'p2'",
  catalogue_digest: "repeat('c', 64)",
  args_digest: "repeat('d', 64)",
  args: `'{"amount": 0.1000000000000000001}'`,
  status: "'error'",
  code: "'INTERNAL'",
  rows: '2',
  redactions: '1',
  approval_id: 'gen_random_uuid()',
  approvers: "array[U&'e\\0301', 'b']",
  idempotency_key: "'key'",
  replayed: 'false',
  duration_ms: 'duration_ms + 1',
  detail: `'{"kind": "call", "outcome": "deny"}'`,
  hash: "repeat('e', 64)",
};

t.test('a change of any column of a record names that record', async (t) => {
  const { pool, owner } = await tampered(t);
  const all = await owner`select column_name from information_schema.columns where table_name = 'audit_records'`;
  const protectedBy = new Set([...Object.keys(COLUMNS), 'seq', 'prev_hash']);
  t.same(
    all.map((row) => row['column_name']).filter((name) => !protectedBy.has(name)),
    [],
    'every column is tried',
  );
  await owner`create table saved as select * from audit_records where seq = 5`;
  for (const [column, value] of Object.entries(COLUMNS)) {
    await owner.unsafe(`update audit_records set ${column} = ${value} where seq = 5`);
    t.match(await verifyAudit(pool), { ok: false, records: 4, firstBad: { seq: 5, fault: 'altered' } }, column);
    await owner.unsafe(`update audit_records a set ${column} = s.${column} from saved s where a.seq = 5`);
  }
  t.match(await verifyAudit(pool), { ok: true, records: 12 });
});

t.test('a removed record is named by its place', async (t) => {
  const { pool } = await tampered(t, 'delete from audit_records where seq = 7');
  t.match(await verifyAudit(pool, { chunk: 3 }), { ok: false, records: 6, firstBad: { seq: 7, fault: 'missing' } });
});

t.test('the first record removed', async (t) => {
  const { pool } = await tampered(t, 'delete from audit_records where seq = 1');
  t.match(await verifyAudit(pool), { ok: false, records: 0, firstBad: { seq: 1, fault: 'missing' } });
});

t.test('a removed record whose gap was closed', async (t) => {
  const { pool } = await tampered(
    t,
    'delete from audit_records where seq = 7',
    'update audit_records set seq = seq - 1 where seq = 8',
  );
  t.match(await verifyAudit(pool), { ok: false, records: 6, firstBad: { seq: 7, fault: 'altered' } });
});

t.test('two records that changed places', async (t) => {
  const { pool } = await tampered(
    t,
    'update audit_records set seq = 1000 where seq = 4',
    'update audit_records set seq = 4 where seq = 9',
    'update audit_records set seq = 9 where seq = 1000',
  );
  t.match(await verifyAudit(pool), { ok: false, records: 3, firstBad: { seq: 4, fault: 'moved' } });
});

t.test('the end cut off', async (t) => {
  const { pool } = await tampered(t, 'delete from audit_records where seq > 9');
  t.match(await verifyAudit(pool), { ok: false, records: 9, firstBad: { seq: 10, fault: 'truncated' } });
});

t.test('the end cut off and the head set back shows against a head kept elsewhere', async (t) => {
  const { pool, before } = await tampered(
    t,
    'delete from audit_records where seq > 9',
    'update audit_head set (seq, hash) = (select seq, hash from audit_records where seq = 9)',
  );
  t.match(await verifyAudit(pool), { ok: true, records: 9 }, 'the database alone cannot show it');
  t.match(await verifyAudit(pool, { expectHead: before.head }), {
    ok: false,
    firstBad: { seq: 10, fault: 'truncated' },
  });
});

t.test('everything removed, head included', async (t) => {
  const { pool, before } = await tampered(
    t,
    'delete from audit_records',
    "update audit_head set seq = 0, hash = repeat('0', 64)",
  );
  t.match(await verifyAudit(pool, { expectHead: before.head }), {
    ok: false,
    firstBad: { seq: 1, fault: 'truncated' },
  });
});

t.test('a chain written anew shows against a head kept elsewhere', async (t) => {
  const { pool, before } = await tampered(
    t,
    'delete from audit_records',
    "update audit_head set seq = 0, hash = repeat('0', 64)",
  );
  const audit = createAuditLog({ pool, log: quiet, strict: 'writes' });
  for (let i = 1; i <= 13; i++) await audit.write(entry());
  await audit.close();
  t.match(await verifyAudit(pool), { ok: true, records: 13 });
  t.match(await verifyAudit(pool, { expectHead: before.head }), {
    ok: false,
    firstBad: { seq: 12, fault: 'rewritten' },
  });
});

t.test('a record appended past the head', async (t) => {
  const { pool } = await tampered(
    t,
    `insert into audit_records (seq, at, phase, call_id, server, tool, principal, prev_hash, hash)
      select 13, now(), 'completed', gen_random_uuid(), 'tms', 'x', 'x', hash, repeat('f', 64) from audit_records where seq = 12`,
  );
  t.match(await verifyAudit(pool), { ok: false, records: 12, firstBad: { seq: 13, fault: 'altered' } });
});

t.test('the head changed or gone', async (t) => {
  const changed = await tampered(t, "update audit_head set hash = repeat('1', 64)");
  t.match(await verifyAudit(changed.pool), { ok: false, firstBad: { seq: 12, fault: 'head-altered' } });
  const gone = await tampered(t, 'delete from audit_head');
  t.match(await verifyAudit(gone.pool), { ok: false, firstBad: { seq: 12, fault: 'head-missing' } });
});

t.test('an empty log verifies', async (t) => {
  const database = await pg.database('gateway');
  const pool = gatewayPool(database.gateway);
  t.teardown(() => pool.close());
  t.match(await verifyAudit(pool), { ok: true, records: 0, head: { seq: 0, hash: '0'.repeat(64) } });
});

t.test('the documented form can be repeated without our code', async (t) => {
  const { owner } = await tampered(t);
  const [row] =
    await owner`select *, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from audit_records where seq = 3`;
  const { hash, ...rest } = row as Record<string, unknown>;
  const form: Record<string, unknown> = { ...rest, seq: Number(rest['seq']), v: 1 };
  const sorted = (value: unknown): unknown =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([k, v]) => [k, sorted(v)]),
        )
      : value;
  t.equal(
    createHash('sha256')
      .update(JSON.stringify(sorted(form)))
      .digest('hex'),
    hash,
  );
});
