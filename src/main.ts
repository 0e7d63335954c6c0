import { createServer } from 'node:net';
import { type App, createApp, RegistrationError, type Stores } from './app.ts';
import { welcome } from './banner.ts';
import { ConfigError, loadConfig } from './config/load.ts';
import { loadProfiles } from './config/profiles.ts';
import type { Config } from './config/schema.ts';
import { type Operation, startOperation } from './demo/operation.ts';
import { migrateConfigured } from './storage/configured.ts';
import { startTraceExport } from './telemetry/export.ts';

/** Exit code for a configuration or a registration that must not start (EX_CONFIG). */
const EX_CONFIG = 78;
/** How long a stop may take when the database is gone and nothing can be finished any more. */
const LONGEST_STOP_MS = 5_000;

/** The process: configuration, stores, app, listener; then signals, and a drain that ends everything it started. */
export async function serve(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const began = performance.now();
  let config: Config;
  try {
    config = loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return refuse(error.lines);
    throw error;
  }
  const say = config.telemetry.logLevel === 'silent' ? () => {} : (line: string) => process.stderr.write(`${line}\n`);
  const traces = await startTraceExport(config.telemetry.otlpEndpoint);

  let operation: Operation | null = null;
  let app: App | null = null;
  const leaving = new AbortController();
  const start = async (): Promise<void> => {
    // What can be refused without starting anything is refused first.
    loadProfiles(config.profiles.dir, config.profiles.deployment);
    await probe(config.http.host, config.http.port);
    let stores: Stores;
    if (config.databases.gatewayUrl === null) {
      operation = await startOperation(config, say, leaving.signal, () => {
        say('PostgreSQL ended. The gateway stops; the data are kept. Start it again.');
        setTimeout(() => process.exit(1), LONGEST_STOP_MS);
        void stop().then(() => process.exit(1));
      });
      stores = operation.stores;
    } else {
      stores = await migrateConfigured(config, say);
    }
    app = await createApp({ config, stores });
    leaving.signal.throwIfAborted();
    const address = await app.http.listen({ host: config.http.host, port: config.http.port });
    process.stdout.write(
      welcome({
        address,
        config,
        servers: app.servers,
        demo: operation !== null,
        seconds: (performance.now() - began) / 1000,
      }),
    );
  };
  const stop = async (): Promise<void> => {
    await app?.close().catch((error: unknown) => say(`stopping: ${text(error)}`));
    await operation?.stop().catch((error: unknown) => say(`stopping: ${text(error)}`));
    await traces.stop();
  };

  let starting: Promise<void> = Promise.resolve();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (leaving.signal.aborted) process.exit(130);
      say('Stopping: no new calls, running ones may finish. Again to stop at once.');
      leaving.abort();
      // A start that is under way ends first, so that nothing of it is left running.
      void starting
        .catch(() => {})
        .then(stop)
        .then(() => process.exit(0));
    });
  }

  starting = start();
  try {
    await starting;
  } catch (error) {
    if (leaving.signal.aborted) return;
    await stop();
    if (error instanceof RegistrationError || error instanceof ConfigError) return refuse(error.lines);
    if (isInUse(error))
      return refuse([`http.port ${config.http.port} (PORT) is in use by another program: choose another port`]);
    say(text(error));
    process.exit(1);
  }
}

/** Rejects where the port is taken, before a database is started for nothing. */
function probe(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
}

function refuse(lines: readonly string[]): never {
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.exit(EX_CONFIG);
}

const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const isInUse = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
