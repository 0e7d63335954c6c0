import type { FastifyInstance } from 'fastify';
import { loadProfiles } from './config/profiles.ts';
import type { Config } from './config/schema.ts';
import { createAccessRules, unknownGrants } from './governance/access.ts';
import { createApprovals } from './governance/approvals.ts';
import { createAuditLog } from './governance/audit/log.ts';
import type { Effects } from './governance/call-state.ts';
import { type Claims, createClaims } from './governance/claims.ts';
import type { Gateway } from './governance/gateway.ts';
import { createRateLimiter } from './governance/rate-limit.ts';
import { scrubText, scrubValue } from './governance/redaction/index.ts';
import { createGateway } from './governance/serve.ts';
import { identitySettings } from './identity/from-config.ts';
import { createIdentity } from './identity/identity.ts';
import { type Catalogue, compile } from './kit/catalogue.ts';
import { inspect } from './kit/guard.ts';
import type { Server } from './kit/server.ts';
import { createMessaging, type Messaging } from './messaging/index.ts';
import { mountApprovals } from './protocol/approvals.ts';
import { httpSettings, mountSettings } from './protocol/from-config.ts';
import { mountHealth } from './protocol/health.ts';
import { createHttp } from './protocol/http.ts';
import { mountServers } from './protocol/mount.ts';
import { startReconciling } from './reconciling.ts';
import { createResources } from './resources.ts';
import { BUILT_IN_SERVERS } from './servers/index.ts';
import { createCalculations } from './servers/neqsim/calculations.ts';
import { Connections, type DatabaseUrls, openGatewayPool, type WritableDatabase } from './storage/connections.ts';
import { createSchemaWatch } from './storage/schema-watch.ts';
import { createLog, type Log } from './telemetry/log.ts';
import { createMetrics } from './telemetry/metrics.ts';

/**
 * The composition root: the one place that knows every room. `main.ts` and the tests build the same app from it.
 * Guarantees: it throws, one finding a line, before anything listens when a registration must not start; `close` ends in the order
 * calls, relay, audit, connections, so that nothing that was answered is left unrecorded.
 */
export interface Stores {
  readonly gatewayUrl: string;
  readonly databases: DatabaseUrls;
  readonly mqttUrl: string | null;
  /** A name that is this replica's alone and stays the same over restarts, where there is one that nobody had to configure. */
  readonly replica?: string;
}

export interface App {
  readonly http: FastifyInstance;
  readonly gateway: Gateway;
  readonly servers: readonly Server[];
  readonly log: Log;
  close(): Promise<void>;
}

/** A registration that must not start: one finding a line. */
export class RegistrationError extends Error {
  override readonly name = 'RegistrationError';
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

export interface AppOptions {
  readonly config: Config;
  readonly stores: Stores;
  /** Servers to mount; the built-in ones by default. Tests add their own. */
  readonly servers?: readonly Server[];
}

export async function createApp({ config, stores, servers = BUILT_IN_SERVERS }: AppOptions): Promise<App> {
  const log = createLog(config.telemetry.logLevel, scrubFields);
  const metrics = createMetrics();
  const profiles = loadProfiles(config.profiles.dir, config.profiles.deployment);
  const access = createAccessRules(profiles, config.servers);
  const catalogues = compileAll(servers);
  const elsewhere = unknownGrants(profiles, toolNames(catalogues));
  if (elsewhere.length > 0) log.debug('profiles name tools that no mounted server has', { grants: elsewhere });

  const connections = new Connections({
    urls: stores.databases,
    poolSize: config.databases.poolSize,
    onBreaker: (pool, state) => log.warn('a database changed its state', { pool, state }),
  });
  const gatewayPool = openGatewayPool({ url: stores.gatewayUrl, poolSize: config.databases.poolSize });
  const audit = createAuditLog({
    pool: gatewayPool,
    log,
    strict: config.audit.strict,
    onLost: (entry, reason) => {
      metrics.auditFailed();
      log.error('an audit record was lost', { reason, callId: entry.callId });
    },
  });
  const approvals = createApprovals({
    pool: gatewayPool,
    validForS: { T2: config.approvals.t2Minutes * 60, T3: config.approvals.t3Minutes * 60 },
    coolDownS: config.approvals.deniedCooldownMinutes * 60,
  });
  const rateLimiter = createRateLimiter({
    reads: { calls: config.limits.readsPerMinute, windowS: 60 },
    readsWhenStoreDown: config.limits.readsWithoutStore,
    pool: gatewayPool,
    onSharing: (state) => log.warn('sharing of read counts changed', { state }),
  });
  const claims = claimsByDatabase(connections, config);
  const messaging =
    stores.mqttUrl && connections.has('product')
      ? startMessaging(stores.mqttUrl, config.mqtt.clientId ?? stores.replica, connections, config, log)
      : null;
  const schema = createSchemaWatch({
    connections,
    servers,
    log,
    obanSchema: config.payments.obanPrefix,
    failedTransactionVerified: config.switch.failedTransactionVerified,
    strictRoles: config.databases.strictRoles,
  });
  const calculations = createCalculations();
  const identity = createIdentity(identitySettings(config));

  const gateway = createGateway(
    {
      catalogues,
      access,
      rateLimiter,
      claims,
      approvals,
      audit,
      metrics,
      log,
      effects: effectsOn(connections),
      disabled: schema.missing,
      drift: schema.drift,
      resources: createResources({ connections, config, outbox: messaging?.outbox ?? null, calculations }),
      settings: config.limits,
    },
    async () => {
      const reasons = await gatewayPool
        .run(AbortSignal.timeout(2_000), async (db) => {
          await db.execute('select 1');
          return [] as string[];
        })
        .catch(() => ['the gateway database is not available']);
      return { ok: reasons.length === 0, reasons };
    },
  );

  const http = createHttp(httpSettings(config), { log, recordRefusal: gateway.recordRefusal });
  const mounted = await mountServers(http, { gateway, identity, settings: mountSettings(config), log });
  mountHealth(http, { gateway, metrics: metrics.registry, draining: () => mounted.running.draining });
  mountApprovals(http, { approvals, identity, audit, policyVersion: access.policyVersion, log });
  const reconciling = startReconciling({
    connections,
    gatewayPool,
    audit,
    claims,
    catalogues,
    log,
    limits: config.limits,
  });
  const recheck = () => void schema.check();
  process.on('SIGHUP', recheck);
  await schema.start();

  return {
    http,
    gateway,
    servers,
    log,
    async close() {
      await http.close();
      await calculations.close();
      await reconciling.stop();
      await messaging?.stop();
      process.removeListener('SIGHUP', recheck);
      await schema.stop();
      await rateLimiter.close();
      await audit.close();
      await connections.close();
      await gatewayPool.close();
    },
  };
}

function compileAll(servers: readonly Server[]): Map<string, Catalogue> {
  const findings = servers.flatMap(inspect);
  const names = servers.map((server) => server.name);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  const lines = [
    ...findings.map(({ server, tool, rule, message }) => `server ${server}: tool ${tool} ${message} (${rule})`),
    ...twice.map((name) => `server ${name} is mounted twice`),
  ];
  if (lines.length > 0) throw new RegistrationError(lines);
  return new Map(servers.map((server) => [server.name, compile(server)]));
}

const toolNames = (catalogues: ReadonlyMap<string, Catalogue>): Map<string, Set<string>> =>
  new Map([...catalogues].map(([name, catalogue]) => [name, new Set(catalogue.tools.keys())]));

function claimsByDatabase(connections: Connections, config: Config): Map<string, Claims> {
  const { writesPerMinute, writesPerTargetPerHour, writesPerToolPerHour } = config.limits;
  const limits = {
    principal: { calls: writesPerMinute, windowS: 60 },
    target: { calls: writesPerTargetPerHour, windowS: 3_600 },
    tool: { calls: writesPerToolPerHour, windowS: 3_600 },
  };
  const names: readonly WritableDatabase[] = ['product', 'settlement', 'risk'];
  return new Map(
    names
      .filter((name) => connections.has(name, 'write'))
      .map((name) => [name, createClaims({ pool: connections.ownTables(name), database: name, limits })]),
  );
}

const effectsOn = (connections: Connections): Effects => ({
  run: ({ db, writes, signal }, work, claim) =>
    connections.writer(db).transaction(signal, async (tx) => {
      const value = await work(tx.writer(writes));
      await claim.claims.complete(tx, { id: claim.id, response: claim.response(value) });
      return value;
    }),
});

function startMessaging(
  url: string,
  clientId: string | undefined,
  connections: Connections,
  config: Config,
  log: Log,
): Messaging {
  const messaging = createMessaging({
    pool: connections.ownTables('product'),
    prefix: config.mqtt.prefix,
    broker: { url, ...(clientId ? { clientId } : {}) },
    log: {
      info: (fields, message) => log.info(message, fields),
      warn: (fields, message) => log.warn(message, fields),
      error: (fields, message) => log.error(message, fields),
    },
    scrub: (text) => scrubText(text).text,
  });
  messaging.start();
  return messaging;
}

/** The same filter that guards answers, for log lines. What cannot be checked is not logged. */
function scrubFields(fields: Record<string, unknown>): Record<string, unknown> {
  const scrubbed = scrubValue(fields, { forbiddenNames: true, deadlineMs: 50 });
  return scrubbed.ok ? (scrubbed.value as Record<string, unknown>) : { msg: 'a log line was withheld' };
}
