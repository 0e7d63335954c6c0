import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import t from 'tap';
import type { Tool } from '../../../src/kit/index.ts';
import { tms } from '../../../src/servers/tms/index.ts';
import * as product from '../../../src/storage/schema/product.ts';
import * as switchTables from '../../../src/storage/schema/switch.ts';
import { appPackage, deploymentConfig, push, pushEvent, statusLog, template, terminal } from '../../support/fleet.ts';
import { startPostgres } from '../../support/postgres.ts';
import { type RunOptions, toolWorld } from '../../support/tool-runner.ts';

/** Every statement of every tool: how PostgreSQL would run it on large tables, and which columns it names. */
t.setTimeout(120_000);
const pg = await startPostgres();
t.teardown(() => pg.stop());
const world = await toolWorld(pg);
t.teardown(() => world.close());
const { owner } = world;

for (const serial of ['A', 'B', 'C', 'D']) await terminal(owner, serial);
await template(owner);
const pushId = await push(owner, 'A');
await pushEvent(owner, pushId, 1, 'queued');
await statusLog(owner, 'A', 'online', '-1 h');
const packageId = await appPackage(owner);
const configId = await deploymentConfig(owner);
const window = { from: '2026-01-01', to: '2026-01-31' };

const CALLS: Readonly<Record<string, { args: object; run?: RunOptions }[]>> = {
  get_terminal: [{ args: { serial_number: 'A' } }],
  get_terminal_status_history: [{ args: { serial_number: 'A', ...window, status: 'online' } }],
  find_terminals: [
    { args: { filters: { vendor: 'Novapos', merchant: 'M1', serial_prefix: 'A', last_seen_before: '2027-01-01' } } },
    { args: { filters: {}, sort: 'last_seen_at' } },
  ],
  get_fleet_snapshot: [{ args: { ...window, group_by: 'day' } }, { args: { group_by: 'vendor' } }],
  get_push_history: [
    { args: { serial_number: 'A', config_type: 'parameter', status: 'succeeded' } },
    { args: { template_id: 1 } },
  ],
  get_push_outcome_stats: [
    { args: { filters: { ...window, vendor: 'x', version: '1' }, group_by: ['day', 'group', 'error_code'] } },
  ],
  trigger_config_push: [
    { args: { serial_number: 'A', config_type: 'parameter' } },
    { args: { serial_number: 'B', config_type: 'keys_config' } },
  ],
  send_mqtt_command: [{ args: { serial_number: 'C', command_type: 'reboot', params: { delay_s: 1 } } }],
  deploy_app_package: [
    { args: { serial_number: 'D', package_id: packageId, config_id: configId }, run: { tier: 'T2' } },
  ],
};

/** Tables that pass a million rows. */
const LARGE = [
  'tms_terminal_status_logs',
  'parameter_push_logs',
  'push_details',
  'app_package_deployments',
  'pos_transaction',
  'config_artifacts',
  'mqtt_outbox',
];

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}
const scans = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(scans),
];

const recorded = new Map<Tool, string[]>();
const plans: { tool: string; text: string; scanned: string[] }[] = [];
for (const tool of tms.tools) {
  for (const { args, run } of CALLS[tool.name]!) {
    const { statements } = await world.record(tool, args, run);
    recorded.set(tool, [...(recorded.get(tool) ?? []), ...statements.map((statement) => statement.text)]);
    for (const { text, parameters } of statements) {
      if (/^select pg_advisory/.test(text)) continue;
      // A plan, not a run: the statement's own effect is long committed.
      const rows = await owner.begin(async (tx) => {
        await tx`set local enable_seqscan = off`;
        await tx`set local timezone = 'UTC'`;
        return tx.unsafe(`explain (format json) ${text}`, parameters as never);
      });
      const found: unknown = (rows[0] as Record<string, unknown>)['QUERY PLAN'];
      const [root] = (typeof found === 'string' ? JSON.parse(found) : found) as { Plan: Plan }[];
      plans.push({ tool: tool.name, text, scanned: scans(root!.Plan) });
    }
  }
}

t.test('every tool has calls here', async (t) => {
  t.same(Object.keys(CALLS).sort(), tms.tools.map((tool) => tool.name).sort());
  t.ok(plans.length > 30);
});

t.test('no large table is read from end to end', async (t) => {
  for (const { tool, text, scanned } of plans) {
    t.same(
      scanned.filter((table) => LARGE.includes(table)),
      [],
      `${tool}: ${text.slice(0, 80)}`,
    );
  }
});

t.test('statements name their columns, and only columns that the tool declares', async (t) => {
  const exported: unknown[] = [...Object.values(product), ...Object.values(switchTables)];
  const tables = exported.filter((value): value is PgTable => is(value, PgTable));
  const housekeeping = new Set(['inserted_at', 'updated_at']);
  for (const [tool, texts] of recorded) {
    const declared = new Map<string, Set<string>>();
    for (const { table, columns } of tool.reads)
      declared.set(table, new Set([...(declared.get(table) ?? []), ...Object.keys(columns)]));
    for (const { table, columns } of tool.writes)
      declared.set(table, new Set([...(declared.get(table) ?? []), ...columns]));
    for (const text of texts) {
      t.notMatch(text, /select \*|\.\*|returning \*/i, tool.name);
      for (const table of tables) {
        const name = getTableName(table);
        const named = Object.values(getTableColumns(table)).filter((column) =>
          text.includes(`"${name}"."${column.name}"`),
        );
        const undeclared = named.filter(
          (column) => !housekeeping.has(column.name) && !declared.get(name)?.has(column.name),
        );
        t.same(
          undeclared.map((column) => `${name}.${column.name}`),
          [],
          tool.name,
        );
      }
    }
  }
});
