import t from 'tap';
import { renderOutput } from '../../../src/governance/output.ts';
import { compile } from '../../../src/kit/catalogue.ts';
import { paymentsEnvelope } from '../../../src/kit/index.ts';
import { tms } from '../../../src/servers/tms/index.ts';
import { push, pushEvent, statusLog, template, terminal } from '../../support/fleet.ts';
import { startPostgres } from '../../support/postgres.ts';
import { toolWorld } from '../../support/tool-runner.ts';

/** A card number in every text column that a reader of this server can see. */
const pg = await startPostgres();
t.teardown(() => pg.stop());
const world = await toolWorld(pg);
t.teardown(() => world.close());
const { owner } = world;
const PAN = '4111111111111111';
const DASHED = '4111-1111-1111-1111';

await terminal(owner, 'A', {
  vendor: PAN,
  model: PAN,
  area: DASHED,
  merchant_id: PAN,
  group_name: DASHED,
  tier: PAN,
  app_version: DASHED,
  firmware_version: PAN,
  parameter_version: PAN,
  emv_config_version: PAN,
});
const long = `card ${DASHED} used; track ;${PAN}=30121011234567890?`;
await statusLog(owner, 'A', 'online', '-1 h', { reason: `seen ${PAN}`, previous_status: 'offline', app_version: PAN });
const id = await template(owner, { name: `template ${PAN}` });
const pushId = await push(owner, 'A', {
  template_id: id,
  version: PAN,
  trigger_source: PAN,
  requested_by: `user ${PAN}`,
  error_code: DASHED,
  error_message: long,
  status: 'failed',
});
await pushEvent(owner, pushId, 1, PAN, { message: long });
await push(owner, 'A', { template_id: id, status: 'queued', version: DASHED });

const catalogue = compile(tms);
const CALLS: [string, object][] = [
  ['get_terminal', { serial_number: 'A' }],
  ['get_terminal_status_history', { serial_number: 'A' }],
  ['find_terminals', { filters: {} }],
  ...['vendor', 'model', 'area', 'group', 'tier', 'merchant'].map((by): [string, object] => [
    'get_fleet_snapshot',
    { group_by: by },
  ]),
  ['get_push_history', { serial_number: 'A' }],
  ['get_push_outcome_stats', { group_by: ['vendor', 'model', 'area'] }],
  ['get_push_outcome_stats', { group_by: ['group', 'version', 'error_code'] }],
  ['get_push_outcome_stats', { group_by: ['trigger_source'] }],
];

for (const [name, args] of CALLS) {
  t.test(`${name} ${JSON.stringify(args)} shows no card number`, async (t) => {
    const entry = catalogue.tools.get(name)!;
    const answer = await world.run(entry.tool, args);
    t.match(JSON.stringify(answer.data), /4111/, 'the column was read');
    const facts = {
      announcedAs: 'tms-mcp',
      tool: name,
      requestId: 'r',
      traceId: null,
      generatedAt: new Date().toISOString(),
      durationMs: 1,
      mode: 'DESKTOP_ENGINEER',
      trust: null,
    };
    const output = renderOutput(entry, answer as never, facts, paymentsEnvelope, 1000);
    t.equal(output.withheld, null);
    t.ok(output.redactions > 0);
    t.notMatch(output.text, /4111[- ]?1111|301210/);
  });
}
