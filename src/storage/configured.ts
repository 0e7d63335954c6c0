import type { Config } from '../config/schema.ts';
import type { DatabaseUrls } from './connections.ts';
import { migrate } from './migrate.ts';

/**
 * The stores of a configured set-up. Our own tables are migrated: the gateway's, and `mcp_ops` in each database that is written. The tables of
 * the operation are its own and are never touched.
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
