import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type App, createApp, type Stores } from '../../src/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { CallAnswer, Caller } from '../../src/governance/gateway.ts';
import { LOCAL_PRINCIPAL } from '../../src/identity/principal.ts';
import type { JsonObject, Principal, Server } from '../../src/kit/index.ts';
import { startPostgres, type TestDatabase, type TestPostgres } from './postgres.ts';

/** The real app over a real PostgreSQL, as `main.ts` builds it, with the test's own servers where it wants them. */
export interface TestApp {
  readonly app: App;
  readonly postgres: TestPostgres;
  readonly databases: { readonly gateway: TestDatabase; readonly product: TestDatabase };
  /** One call through the gates, as the local principal unless told otherwise. */
  call(
    server: string,
    tool: string,
    args?: unknown,
    how?: { principal?: Principal; signal?: AbortSignal },
  ): Promise<CallAnswer>;
  /** As `call`; the envelope, or a thrown error when the tool is unknown. */
  envelope(server: string, tool: string, args?: unknown, how?: { principal?: Principal }): Promise<JsonObject>;
  close(): Promise<void>;
}

export const callerOf = (principal: Principal = LOCAL_PRINCIPAL): Caller => ({
  principal,
  requestId: crypto.randomUUID(),
  era: 'modern',
  protocolVersion: '2026-07-28',
  clientAddress: '127.0.0.1',
  jsonRpcId: '1',
});

export const approver = (name: string): Principal => ({
  id: name,
  subject: name,
  issuer: null,
  client: null,
  human: true,
  onBehalfOf: null,
  roles: ['approver'],
  scopes: [],
  via: 'local',
});

export async function startApp(options: {
  servers?: readonly Server[];
  env?: Record<string, string>;
  /** An operation's own MQTT broker. */
  mqttUrl?: string | null;
  postgres?: TestPostgres;
  /** Fills the product database before the app starts. */
  prepare?: (databases: { gateway: TestDatabase; product: TestDatabase }) => Promise<void>;
}): Promise<TestApp> {
  const postgres = options.postgres ?? (await startPostgres());
  const data = await mkdtemp(path.join(tmpdir(), 'penstock-app-'));
  const databases = { gateway: await postgres.database('gateway'), product: await postgres.database('product') };
  await options.prepare?.(databases);
  const stores: Stores = {
    gatewayUrl: databases.gateway.gateway,
    databases: { product: { read: databases.product.read, write: databases.product.write } },
    mqttUrl: options.mqttUrl ?? null,
  };
  const config = loadConfig({ PENSTOCK_TELEMETRY_LOG_LEVEL: 'silent', PENSTOCK_DATA_DIR: data, ...options.env });
  const app = await createApp({ config, stores, ...(options.servers ? { servers: options.servers } : {}) });
  const call: TestApp['call'] = (server, name, args = {}, how = {}) =>
    app.gateway.callTool({
      server,
      name,
      args,
      caller: callerOf(how.principal),
      signal: how.signal ?? new AbortController().signal,
    });
  return {
    app,
    postgres,
    databases,
    call,
    async envelope(server, name, args, how) {
      const answer = await call(server, name, args, how);
      if (answer.kind !== 'answer') throw new Error(`unknown tool ${name}`);
      return answer.envelope;
    },
    async close() {
      await app.close();
      if (!options.postgres) await postgres.stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}
