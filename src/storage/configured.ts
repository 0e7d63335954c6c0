import type { Config } from '../config/schema.ts';
import type { DatabaseUrls } from './connections.ts';
import { migrate } from './migrate.ts';

/**
 * The stores of a configured set-up. The gateway's own database is migrated. `mcp_ops` in the databases of the operation (migrations/mcp_ops) is
 * applied by their owner, since the roles given here may not create tables; until then the schema check keeps the actuators off and says why.
 * The tables of the operation are its own and are never touched.
 */
export async function migrateConfigured(
  config: Config,
  say: (line: string) => void,
): Promise<{ gatewayUrl: string; databases: DatabaseUrls; mqttUrl: string | null }> {
  const { databases } = config;
  const log = { info: say, warn: say };
  const gatewayUrl = databases.gatewayUrl!;
  await migrate({ url: databases.gatewayOwnerUrl ?? gatewayUrl, sets: ['gateway'], log });
  const pair = (read: string | null, write: string | null) =>
    read === null && write === null ? undefined : { read: read ?? undefined, write: write ?? undefined };
  return {
    gatewayUrl,
    databases: {
      product: pair(databases.productReadUrl, databases.productUrl),
      settlement: pair(databases.settlementReadUrl, databases.settlementUrl),
      risk: pair(databases.riskReadUrl, databases.riskUrl),
      mms: pair(databases.mmsReadUrl, null),
    },
    mqttUrl: config.mqtt.url,
  };
}
