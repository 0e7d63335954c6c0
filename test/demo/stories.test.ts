import t from 'tap';
import { startBroker } from '../../src/demo/broker.ts';
import { startDevices } from '../../src/demo/devices.ts';
import { seedDemo } from '../../src/demo/seed/index.ts';
import { STORY_CALLS } from '../../src/demo/stories.ts';
import type { JsonValue } from '../../src/kit/index.ts';
import { silentLog } from '../../src/storage/log.ts';
import { startApp } from '../support/app.ts';
import { startPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';

t.setTimeout(300_000);
const pg = await startPostgres();
t.teardown(() => pg.stop());
const broker = await startBroker({ port: 0 });
t.teardown(() => broker.stop());
const devices = await startDevices({ url: broker.url, prefix: 'tms/v1' });
t.teardown(() => devices.stop());
const app = await startApp({
  postgres: pg,
  mqttUrl: broker.url,
  prepare: async ({ product }) => {
    const others = {
      settlement: await pg.database('settlement'),
      mms: await pg.database('mms'),
      risk: await pg.database('risk'),
    };
    const urls = {
      product: product.owner,
      settlement: others.settlement.owner,
      mms: others.mms.owner,
      risk: others.risk.owner,
    };
    await seedDemo({ urls, log: silentLog });
  },
});
t.teardown(() => app.close());

function at(value: JsonValue, pointer: string): JsonValue | undefined {
  let here: JsonValue | undefined = value;
  for (const step of pointer.slice(1).split('/')) {
    here = here !== null && typeof here === 'object' ? (here as Record<string, JsonValue>)[step] : undefined;
  }
  return here;
}

for (const call of STORY_CALLS) {
  t.test(`story ${call.story}: ${call.server} ${call.tool}`, async (t) => {
    const envelope = await app.envelope(call.server, call.tool, call.arguments);
    t.equal(envelope['status'], call.expect.status, JSON.stringify(envelope['error'] ?? null));
    const seen = Object.keys(call.expect.data).map((pointer) => [pointer, at(envelope['data']!, pointer)]);
    t.same(Object.fromEntries(seen), call.expect.data);
  });
}

t.test('story 20: the simulated terminal took the push', async (t) => {
  const serial_number = 'NV5-000101';
  await until(async () => {
    const envelope = await app.envelope('tms', 'get_push_history', {
      serial_number,
      config_type: 'emv_config',
      limit: 1,
    });
    return at(envelope['data']!, '/pushes/0/status') === 'succeeded';
  }, 30_000);
  // Those of stories 19 and 20: the deployment waits for its approvals.
  await until(() => devices.handled >= 2);
  t.equal(devices.handled, 2);
});
