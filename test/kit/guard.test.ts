import t from 'tap';
import { inspect } from '../../src/kit/guard.ts';
import type { Access, Tool } from '../../src/kit/index.ts';
import { sampleActuator, sampleServer, sampleTool } from '../support/sample-tool.ts';

const rules = (tool: Tool, name = 'sample') => inspect(sampleServer([tool], { name })).map((finding) => finding.rule);

t.test('a complete tool passes', async (t) => {
  t.same(inspect(sampleServer([sampleTool(), sampleActuator()])), []);
});

t.test('rule 1: a name of the never-registered list is refused in any spelling', async (t) => {
  for (const name of [
    'release_transaction',
    'releaseTransaction',
    'RELEASE_TRANSACTION',
    'run_sql',
    'getPan',
    'cancel_job',
    'update_MDR',
  ]) {
    t.ok(rules(sampleTool({ name })).includes('never-registered'), name);
  }
});

t.test('rule 2: a name that contains a forbidden word is refused', async (t) => {
  for (const name of [
    'get_silence_list',
    'payout_preview',
    'refund_quote',
    'list_key_slots',
    'get_card_pan',
    'track_parcel',
    'decrypt_text',
  ]) {
    t.ok(rules(sampleTool({ name })).includes('never-pattern'), name);
  }
  t.notOk(
    rules(sampleTool({ name: 'get_companies' })).includes('never-pattern'),
    'pan counts at the end of a name only',
  );
});

t.test(
  'rule 3: a tool without a field of its access, its schemas or its lists is refused and the field is named',
  async (t) => {
    const whole = sampleActuator();
    const without = (key: string) => ({ ...whole, [key]: undefined }) as unknown as Tool;
    for (const key of ['input', 'output', 'reads', 'writes', 'title', 'description', 'target', 'access']) {
      t.ok(rules(without(key)).includes('incomplete'), key);
    }
    for (const key of ['category', 'risk', 'readOnly', 'destructive', 'trust'] as const) {
      const access = { ...whole.access, [key]: undefined } as unknown as Access;
      t.ok(rules({ ...whole, access }).includes('incomplete'), `access.${key}`);
    }
    const t2: Access = { ...whole.access, risk: 'T2' };
    const findings = inspect(sampleServer([sampleActuator({ access: t2 })]));
    t.match(
      findings,
      [{ rule: 'incomplete', message: /approval texts/ }],
      'an approved tool needs what the approver sees',
    );
  },
);

t.test('rule 4: switch and infra only read', async (t) => {
  for (const server of ['switch', 'infra']) {
    t.ok(rules(sampleActuator(), server).includes('read-only-server'), server);
    t.notOk(rules(sampleTool(), server).includes('read-only-server'), server);
  }
});

t.test('rule 5: a read tool declares no write and an actuator does not say readOnly', async (t) => {
  t.ok(rules(sampleTool({ writes: sampleActuator().writes })).includes('reader-writes'));
  t.ok(rules(sampleActuator({ access: { ...sampleActuator().access, readOnly: true } })).includes('reader-writes'));
});

t.test('rule 6: a write to a forbidden table, column or value is refused', async (t) => {
  const writes = (table: string, columns: string[], values?: Record<string, string[]>, db = 'risk') =>
    rules(
      sampleActuator({
        writes: [{ db: db as 'risk', table, columns, operation: 'update', ...(values ? { values } : {}) }],
      }),
    );
  for (const column of ['status', 'action_taken', 'action_at', 'supervisor_id', 'category']) {
    t.ok(writes('risk_rule_hits', ['notes', column]).includes('forbidden-target'), column);
  }
  t.notOk(writes('risk_rule_hits', ['notes', 'metadata']).includes('forbidden-target'));
  t.ok(writes('payout_items', ['status']).includes('forbidden-target'));
  t.ok(
    writes('user_metadata', ['status'], undefined, 'mms').includes('forbidden-target'),
    'any table of the MMS database',
  );
  for (const table of ['terminal_key_slots', 'kek_store', 'rki_jobs', 'kcv_log'])
    t.ok(writes(table, ['x']).includes('forbidden-target'), table);
  t.ok(writes('reconciliation_exceptions', ['status']).includes('forbidden-target'), 'without a list of values');
  t.ok(writes('reconciliation_exceptions', ['status'], { status: ['open', 'resolved'] }).includes('forbidden-target'));
  t.notOk(writes('reconciliation_exceptions', ['status'], { status: ['open', 'held'] }).includes('forbidden-target'));
});

t.test('rule 7: a contract tool below its contract tier is refused', async (t) => {
  t.ok(rules(sampleActuator({ name: 'send_mqtt_command' })).includes('contract-tier'));
  t.ok(rules(sampleTool({ name: 'hold_transaction' })).includes('contract-tier'));
});

t.test('a name registered twice and a name with other characters are refused', async (t) => {
  const findings = inspect(sampleServer([sampleTool(), sampleTool(), sampleTool({ name: 'get widget' })]));
  t.same(findings.map((finding) => finding.rule).sort(), ['duplicate', 'name']);
});
