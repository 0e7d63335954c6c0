import type { Config } from './config/schema.ts';
import type { JsonValue } from './kit/json.ts';
import type { Server } from './kit/server.ts';
import type { Connections } from './storage/connections.ts';
import { SchemaMonitor } from './storage/schema-check.ts';
import type { Log } from './telemetry/log.ts';

/** Which tools the live databases can serve. Asked by lists and calls; verified at start, every five minutes, and on SIGHUP. */
export interface SchemaWatch {
  /** What a tool lacks; null when it lacks nothing, or its database has not been reached yet. */
  missing(server: string, tool: string): JsonValue[] | null;
  drift(server: string, tool: string): ReadonlySet<string>;
  start(): Promise<void>;
  stop(): void;
}

export function createSchemaWatch(parts: {
  readonly connections: Connections;
  readonly servers: readonly Server[];
  readonly config: Config;
  readonly log: Log;
}): SchemaWatch {
  const { connections, servers, config, log } = parts;
  let lacking = new Map<string, JsonValue[]>();
  let drifting = new Map<string, ReadonlySet<string>>();
  const none: ReadonlySet<string> = new Set();
  const keyOf = (server: string, tool: string) => `${server}/${tool}`;

  const monitor = new SchemaMonitor({
    connections,
    tools: servers.flatMap((server) =>
      server.tools.map(({ name, reads, writes }) => ({ server: server.name, name, reads, writes })),
    ),
    log: { info: (line) => log.info(line), warn: (line) => log.warn(line) },
    obanSchema: config.payments.obanPrefix,
    failedTransactionVerified: config.switch.failedTransactionVerified,
    onChange: () => take(),
  });

  function take(): void {
    const tools = monitor.report?.tools ?? [];
    lacking = new Map(
      tools
        .filter((tool) => tool.state === 'disabled')
        .map((tool) => [keyOf(tool.server, tool.tool), tool.missing.map((one) => ({ ...one }))]),
    );
    drifting = new Map(
      tools
        .filter((tool) => tool.drift.length > 0)
        .map((tool) => [
          keyOf(tool.server, tool.tool),
          new Set(tool.drift.map(({ db, table, column }) => `${db}.${table}.${column}`)),
        ]),
    );
  }

  const again = () => void monitor.check();
  return {
    missing: (server, tool) => lacking.get(keyOf(server, tool)) ?? null,
    drift: (server, tool) => drifting.get(keyOf(server, tool)) ?? none,
    async start() {
      process.on('SIGHUP', again);
      await monitor.check();
      take();
    },
    stop() {
      process.removeListener('SIGHUP', again);
      monitor.stop();
    },
  };
}
