import t from 'tap';
import type { TableUse, Tool, WriteTarget } from '../../src/kit/tool.ts';
import { Connections } from '../../src/storage/connections.ts';
import { type CheckedTool, checkSchema, createSchemaWatch, type SchemaReport } from '../../src/storage/schema-watch.ts';
import { startPostgres } from '../support/postgres.ts';

t.setTimeout(120_000);
const pg = await startPostgres();
t.teardown(() => pg.stop());

async function operation() {
  const [product, settlement, risk, mms] = [
    await pg.database('product'),
    await pg.database('settlement'),
    await pg.database('risk'),
    await pg.database('mms'),
  ];
  const connections = new Connections({
    urls: {
      product: { read: product.read, write: product.write },
      settlement: { read: settlement.read, write: settlement.write },
      risk: { read: risk.read, write: risk.write },
      mms: { read: mms.read },
    },
    poolSize: 2,
  });
  t.teardown(() => connections.close());
  return {
    product,
    settlement,
    risk,
    mms,
    connections,
    owner: pg.connect(product.owner),
    mmsOwner: pg.connect(mms.owner),
  };
}

const terminals: TableUse = {
  db: 'product',
  table: 'tms_terminals',
  columns: {
    id: { family: 'int', required: true },
    serial_number: { family: 'text', required: true },
    last_seen_at: { family: 'ts', required: true },
    latitude: { family: 'numeric', required: false },
    signal_dbm: { family: 'int', required: false },
  },
};
const jobs: TableUse = {
  db: 'product',
  table: 'oban_jobs',
  columns: {
    state: { family: 'text', required: true },
    errors: { family: 'array', required: true },
    args: { family: 'json', required: true },
    tags: { family: 'array', required: false },
  },
};
const failed: TableUse = {
  db: 'product',
  table: 'pos_failed_transaction',
  columns: { id: { family: 'int', required: true }, tid: { family: 'text', required: true } },
};
const push: WriteTarget = {
  db: 'product',
  table: 'parameter_push_logs',
  operation: 'update',
  columns: ['status', 'updated_at'],
};

const tool = (name: string, extra: Partial<CheckedTool>): CheckedTool => ({
  server: 'tms',
  name,
  reads: [],
  writes: [],
  ...extra,
});
const options = { failedTransactionVerified: false, obanSchema: 'public', strictRoles: false };
const find = (report: SchemaReport, name: string) => {
  const found = report.tools.find((entry) => entry.tool === name);
  if (!found) throw new Error(`no report for ${name}`);
  return found;
};

t.test('on the schema as described every tool is ready', async (t) => {
  const { connections } = await operation();
  const tools = [
    tool('get', { reads: [terminals] }),
    tool('job', { reads: [jobs] }),
    tool('push', { reads: [terminals], writes: [push] }),
  ];
  const report = await checkSchema(connections, tools, options);
  for (const entry of report.tools) t.match(entry, { state: 'ready', missing: [], drift: [] }, entry.tool);
  t.same(report.databases, { product: 'checked', settlement: 'checked', risk: 'checked', mms: 'checked' });
  t.same(report.writableReadRoles, []);
});

t.test('a dropped, ungranted or retyped required column turns off just the tools that need it', async (t) => {
  const { connections, owner } = await operation();
  await owner`alter table tms_terminals drop column last_seen_at, alter column id type numeric`;
  await owner`revoke select on oban_jobs from mcp_ro`;
  await owner`grant select (state, args) on oban_jobs to mcp_ro`;
  const tools = [tool('get', { reads: [terminals] }), tool('job', { reads: [jobs] }), tool('push', { writes: [push] })];
  const report = await checkSchema(connections, tools, options);
  t.match(find(report, 'get'), {
    state: 'disabled',
    missing: [
      { db: 'product', table: 'tms_terminals', column: 'id', reason: 'type_mismatch' },
      { db: 'product', table: 'tms_terminals', column: 'last_seen_at', reason: 'absent' },
    ],
  });
  t.match(find(report, 'job'), {
    state: 'disabled',
    missing: [{ column: 'errors', reason: 'not_granted' }],
    drift: [{ column: 'tags', reason: 'not_granted' }],
  });
  t.equal(find(report, 'push').state, 'ready');
});

t.test('a dropped optional column is drift', async (t) => {
  const { connections, owner } = await operation();
  await owner`alter table tms_terminals drop column latitude`;
  const report = await checkSchema(connections, [tool('get', { reads: [terminals] })], options);
  t.match(find(report, 'get'), { state: 'ready', missing: [], drift: [{ column: 'latitude', reason: 'absent' }] });
});

t.test('a missing table counts as all its columns', async (t) => {
  const { connections, owner } = await operation();
  await owner`alter table tms_terminals rename to other_terminals`;
  const entry = find(await checkSchema(connections, [tool('get', { reads: [terminals] })], options), 'get');
  t.equal(entry.state, 'disabled');
  t.same(
    entry.missing.map((m) => m.column),
    ['id', 'serial_number', 'last_seen_at'],
  );
  t.same(
    entry.drift.map((m) => m.column),
    ['latitude', 'signal_dbm'],
  );
});

t.test('a write that is not granted turns the actuator off', async (t) => {
  const { connections, owner } = await operation();
  await owner`revoke update (status) on parameter_push_logs from mcp_rw`;
  const report = await checkSchema(connections, [tool('push', { writes: [push] })], options);
  t.match(find(report, 'push'), { state: 'disabled', missing: [{ column: 'status', reason: 'not_granted' }] });
});

t.test('the never verified table stays closed until the operator says so and its columns suffice', async (t) => {
  const { connections, owner } = await operation();
  const tools = [tool('failed', { reads: [failed] })];
  t.match(find(await checkSchema(connections, tools, options), 'failed'), {
    state: 'disabled',
    missing: [{ column: '*', reason: 'unverified_schema' }],
  });
  const verified = { ...options, failedTransactionVerified: true };
  const report = await checkSchema(connections, tools, verified);
  t.equal(find(report, 'failed').state, 'ready');
  t.ok(report.unverifiedColumns.pos_failed_transaction?.includes('failure_reason'));
  t.notOk(report.unverifiedColumns.pos_failed_transaction?.includes('encrypted_pan'));
  t.same(report.unverifiedColumns.pos_temp_transaction, []);
  await owner`alter table pos_failed_transaction drop column stan, drop column response_code`;
  t.match(find(await checkSchema(connections, tools, verified), 'failed'), {
    state: 'disabled',
    missing: [{ column: 'stan' }, { column: 'response_code' }],
  });
});

t.test('a missing index is reported for the tool that wants it', async (t) => {
  const { connections, owner } = await operation();
  const indexes = [
    { db: 'product', table: 'pos_transaction', columns: ['tid', 'transaction_time'] },
    { db: 'product', table: 'pos_transaction', columns: ['reference_no'] },
  ] as const;
  const tools = [tool('switch', { indexes })];
  t.same(find(await checkSchema(connections, tools, options), 'switch').unindexed, []);
  await owner`drop index pos_transaction_tid_index`;
  t.same(find(await checkSchema(connections, tools, options), 'switch').unindexed, [indexes[0]]);
});

t.test('a read role that could change the switch or merchant management is reported', async (t) => {
  const { connections, owner, mmsOwner } = await operation();
  await owner`grant update (response_code) on pos_transaction to mcp_ro`;
  await owner`grant update on tms_terminals to mcp_ro`;
  await mmsOwner`grant delete, truncate on users to mcp_ro`;
  const report = await checkSchema(connections, [], options);
  t.same(
    [...report.writableReadRoles].sort((a, b) => a.table.localeCompare(b.table)),
    [
      { db: 'product', table: 'pos_transaction', privileges: ['UPDATE'] },
      { db: 'mms', table: 'users', privileges: ['DELETE', 'TRUNCATE'] },
    ],
  );
  const reads: TableUse[] = [
    { db: 'product', table: 'pos_transaction', columns: { id: { family: 'int', required: true } } },
  ];
  const tools = [tool('trace', { reads }), tool('get', { reads: [terminals] })];
  const strict = await checkSchema(connections, tools, { ...options, strictRoles: true });
  t.match(find(strict, 'trace'), {
    state: 'disabled',
    missing: [{ table: 'pos_transaction', column: '*', reason: 'writable_read_role' }],
  });
  t.equal(find(strict, 'get').state, 'ready');
  t.equal(find(await checkSchema(connections, tools, options), 'trace').state, 'ready');
});

t.test('an unreachable database leaves its tools pending, and they come up when it is back', async (t) => {
  const { product, connections: _ } = await operation();
  const gone = new URL(product.read);
  const admin = pg.connect(pg.server.url('postgres'));
  await admin`alter database ${admin(product.name)} with allow_connections false`;
  const connections = new Connections({ urls: { product: { read: gone.href } } });
  t.teardown(() => connections.close());
  const changes: SchemaReport[] = [];
  const lines: string[] = [];
  const log = { info: () => {}, warn: (line: string) => lines.push(line) };
  const servers = [
    {
      name: 'tms',
      tools: [
        tool('get', { reads: [terminals] }),
        tool('risk', { reads: [{ ...terminals, db: 'risk' }] }),
      ] as unknown as Tool[],
    },
  ];
  const watch = createSchemaWatch({
    ...options,
    connections,
    servers,
    log,
    onChange: (report) => changes.push(report),
    retryMs: 60_000,
  });
  t.equal(watch.missing('tms', 'get'), null, 'before the first check');
  await watch.start();
  const state = (name: string) => watch.report()?.tools.find((entry) => entry.tool === name);
  t.match(state('get'), { state: 'pending', waitingFor: ['product'], missing: [] });
  t.match(state('risk'), { state: 'pending', waitingFor: ['risk'] });
  t.equal(watch.missing('tms', 'get'), null, 'a tool that waits is not disabled');
  t.same(watch.report()?.databases, {
    product: 'unavailable',
    settlement: 'not_configured',
    risk: 'not_configured',
    mms: 'not_configured',
  });
  t.same(changes, []);
  await admin`alter database ${admin(product.name)} with allow_connections true`;
  await Promise.all([watch.check(), watch.check()]);
  t.equal(state('get')?.state, 'ready');
  t.equal(changes.length, 1);
  const owner = pg.connect(product.owner);
  await owner`alter table tms_terminals drop column serial_number, drop column latitude`;
  await watch.check();
  t.match(watch.missing('tms', 'get'), [
    { db: 'product', table: 'tms_terminals', column: 'serial_number', reason: 'absent' },
  ]);
  t.same([...watch.drift('tms', 'get')], ['product.tms_terminals.latitude']);
  t.match(lines.join('\n'), /tms\/get is off: product\.tms_terminals\.serial_number absent/);
  t.equal(changes.length, 2);
  await watch.check();
  t.equal(changes.length, 2, 'no change, no notice');
  await watch.stop();
});
