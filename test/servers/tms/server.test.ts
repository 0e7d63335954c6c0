import t from 'tap';
import { compile } from '../../../src/kit/catalogue.ts';
import { inspect } from '../../../src/kit/guard.ts';
import { tms } from '../../../src/servers/tms/index.ts';

t.test('the registration guard finds nothing to refuse', async (t) => {
  t.same(inspect(tms), []);
});

t.test('every tool is listed with closed arguments, an output schema and annotations of its tier', async (t) => {
  const catalogue = compile(tms);
  t.same(
    [...catalogue.tools.keys()],
    [
      'get_terminal',
      'get_terminal_status_history',
      'find_terminals',
      'get_fleet_snapshot',
      'get_push_history',
      'get_push_outcome_stats',
      'trigger_config_push',
      'send_mqtt_command',
      'deploy_app_package',
    ],
  );
  for (const { listed, tool } of catalogue.tools.values()) {
    t.match(
      listed,
      { inputSchema: { type: 'object', additionalProperties: false }, outputSchema: { type: 'object' } },
      tool.name,
    );
    t.ok(JSON.stringify(listed).length < 9000, `${tool.name} stays small: ${JSON.stringify(listed).length}`);
  }
  const annotations = (name: string) => catalogue.tools.get(name)?.listed['annotations'];
  t.match(annotations('get_terminal'), { readOnlyHint: true });
  t.match(annotations('trigger_config_push'), { readOnlyHint: false, destructiveHint: false, idempotentHint: true });
  t.match(annotations('send_mqtt_command'), { destructiveHint: true });
  const controls = (name: string) => catalogue.tools.get(name)?.controls;
  t.same(controls('trigger_config_push'), ['idempotency_key', 'reason']);
  t.same(controls('deploy_app_package'), ['idempotency_key', 'reason', 'approval_id']);
});

t.test('no tool names a column of keys, and only the declared columns of a table are read', async (t) => {
  for (const tool of tms.tools) {
    for (const { table, columns } of tool.reads) {
      t.notMatch(
        Object.keys(columns).join(' '),
        /kek|kcv|rki|slot|encrypted|hash_pan|track|expiry/,
        `${tool.name} ${table}`,
      );
    }
    t.ok(tool.writes.every((write) => write.db === 'product'));
  }
});
