import t from 'tap';
import { startBroker } from '../../src/demo/broker.ts';
import { seedDemo } from '../../src/demo/seed/index.ts';
import type { JsonObject } from '../../src/kit/index.ts';
import { BUILT_IN_SERVERS } from '../../src/servers/index.ts';
import { silentLog } from '../../src/storage/log.ts';
import { startApp } from '../support/app.ts';
import { startPostgres } from '../support/postgres.ts';
import { serverContract } from './contract.ts';

const window = { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date().toISOString() };
const gas = { methane: 0.9, propane: 0.1 };

/** A good call of every tool of every server. A new tool must be named here, or the suite fails. */
const GOOD: Readonly<Record<string, Readonly<Record<string, JsonObject>>>> = {
  tms: {
    get_terminal: { serial_number: 'NV5-000137' },
    get_terminal_status_history: { serial_number: 'NV5-000137', ...window },
    find_terminals: { filters: { group: 'pilot' } },
    get_fleet_snapshot: { ...window, group_by: 'group' },
    get_push_history: { serial_number: 'NV5-000137' },
    get_push_outcome_stats: { filters: { version: '4.2.0' }, group_by: ['group'] },
    trigger_config_push: { serial_number: 'NV5-000121', config_type: 'parameter' },
    send_mqtt_command: { serial_number: 'NV5-000122', command_type: 'sync_time', params: {} },
    deploy_app_package: { serial_number: 'NV5-000124', package_id: 3, config_id: 1 },
  },
  neqsim: {
    runFlash: { components: gas, temperature: -40, temperatureUnit: 'C', pressure: 30 },
    searchComponents: { query: 'butane' },
    getPropertyTable: { components: gas, sweep: 'pressure', sweepFrom: 10, sweepTo: 20, fixedValue: 280, points: 3 },
    getPhaseEnvelope: { components: gas },
    runBatch: {
      components: JSON.stringify(gas),
      eos: 'SRK',
      flashType: 'TP',
      cases: '[{"temperature":{"value":20,"unit":"C"},"pressure":{"value":30,"unit":"bara"}}]',
    },
  },
};

const postgres = await startPostgres();
const broker = await startBroker({ port: 0 });
t.teardown(async () => {
  await broker.stop();
  await postgres.stop();
});
for (const server of BUILT_IN_SERVERS) {
  serverContract({ server, good: GOOD[server.name] ?? {} }, ({ env = {}, empty = false } = {}) =>
    startApp({
      postgres,
      mqttUrl: broker.url,
      env: {
        PENSTOCK_LIMITS_READS_PER_MINUTE: '1000000',
        PENSTOCK_LIMITS_WRITES_PER_MINUTE: '100000',
        PENSTOCK_LIMITS_WRITES_PER_TARGET_PER_HOUR: '100000',
        PENSTOCK_LIMITS_WRITES_PER_TOOL_PER_HOUR: '100000',
        ...env,
      },
      prepare: async ({ product }) => {
        if (empty) return;
        const others = await Promise.all([
          postgres.database('settlement'),
          postgres.database('mms'),
          postgres.database('risk'),
        ]);
        const [settlement, mms, risk] = others.map((database) => database.owner);
        await seedDemo({
          urls: { product: product.owner, settlement: settlement!, mms: mms!, risk: risk! },
          log: silentLog,
        });
      },
    }),
  );
}
