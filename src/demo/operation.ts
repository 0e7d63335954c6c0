import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../config/schema.ts';
import type { DatabaseUrls } from '../storage/connections.ts';
import { DEMO_DATABASES, type EmbeddedServer, startEmbedded } from '../storage/embedded.ts';
import { MIGRATION_SETS, type MigratedDatabase, migrate } from '../storage/migrate.ts';
import { startBroker } from './broker.ts';
import { startDevices } from './devices.ts';
import { seedDemo } from './seed/index.ts';

/**
 * The default set-up on one machine: a real PostgreSQL under the data folder, migrated; the demo operation's data; an MQTT broker in this process
 * with simulated terminals on it. Nothing of it is started when database URLs are configured.
 */
export interface Operation {
  readonly stores: {
    readonly gatewayUrl: string;
    readonly databases: DatabaseUrls;
    readonly mqttUrl: string | null;
    readonly replica: string;
  };
  readonly postgres: EmbeddedServer;
  stop(): Promise<void>;
}

/** An aborted signal ends the start between two of its steps; what was started by then is stopped. */
export async function startOperation(
  config: Config,
  say: (line: string) => void,
  signal: AbortSignal,
  /** Told once when the PostgreSQL it started is gone without having been stopped. */
  onLost: () => void,
): Promise<Operation> {
  const dir = resolve(config.dataDir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const log = { info: (line: string) => say(line), warn: (line: string) => say(line) };
  const postgres = await startEmbedded({ dir, log });
  const running: { stop(): Promise<void> }[] = [];
  const watch = setInterval(() => {
    if (isAlive(postgres.pid)) return;
    clearInterval(watch);
    onLost();
  }, 1_000);
  watch.unref();
  const stop = async () => {
    clearInterval(watch);
    for (const part of running.reverse()) await part.stop();
    await postgres.stop();
  };
  try {
    const names = Object.entries(DEMO_DATABASES) as [MigratedDatabase, string][];
    for (const [role, name] of names) {
      signal.throwIfAborted();
      await migrate({ url: postgres.url(name), sets: MIGRATION_SETS[role], log });
    }
    signal.throwIfAborted();
    if (config.demo) {
      const { gateway: _ours, ...operation } = DEMO_DATABASES;
      const urls = Object.fromEntries(Object.entries(operation).map(([role, name]) => [role, postgres.url(name)]));
      await seedDemo({ urls: urls as Record<keyof typeof operation, string>, log });
    }
    signal.throwIfAborted();
    let mqttUrl = config.mqtt.url;
    if (mqttUrl === null && config.demo) {
      const broker = await startBroker({ port: 1883 });
      running.push(broker);
      running.push(await startDevices({ url: broker.url, prefix: config.mqtt.prefix }));
      mqttUrl = broker.url;
    }
    const both = (name: string) => ({
      read: postgres.roleUrl(name, 'mcp_ro'),
      write: postgres.roleUrl(name, 'mcp_rw'),
    });
    return {
      postgres,
      stores: {
        gatewayUrl: postgres.roleUrl(DEMO_DATABASES.gateway, 'gateway'),
        databases: {
          product: both(DEMO_DATABASES.product),
          settlement: both(DEMO_DATABASES.settlement),
          risk: both(DEMO_DATABASES.risk),
          mms: { read: postgres.roleUrl(DEMO_DATABASES.mms, 'mcp_ro') },
        },
        mqttUrl,
        // One gateway at a time has a data folder, so what is the folder's alone is the gateway's alone.
        replica: `penstock-${postgres.id}`,
      },
      stop,
    };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process answers EPERM: it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
