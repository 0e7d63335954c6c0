import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import { readArguments } from '../../src/kit/catalogue.ts';
import {
  businessCalendar,
  cursors,
  type JsonObject,
  type Provenance,
  type Resources,
  type Success,
  type Tool,
  type ToolContext,
  ToolError,
} from '../../src/kit/index.ts';
import { createOutbox, type Outbox } from '../../src/messaging/outbox.ts';
import { createSignals } from '../../src/messaging/signals.ts';
import { topicsUnder } from '../../src/messaging/topics.ts';
import { type ArtifactStore, artifactStore } from '../../src/servers/tms/artifacts/store.ts';
import { COMMAND_TYPES } from '../../src/servers/tms/commands.ts';
import type { TmsSettings } from '../../src/servers/tms/settings.ts';
import { Connections, type Reader } from '../../src/storage/connections.ts';
import type { Db } from '../../src/storage/pool.ts';
import { WIRE_TYPES } from '../../src/storage/wire.ts';
import { Writer } from '../../src/storage/writer.ts';
import type { TestDatabase, TestPostgres } from './postgres.ts';

/**
 * Runs a tool's handler on real resources, without the gates: arguments through the tool's schema, its checks, tier and preconditions, the effect
 * in a real transaction behind a real writer, and the answer through the tool's output schema.
 */
export interface RunOptions {
  readonly keyed?: boolean;
  readonly tier?: string;
  readonly principal?: string;
  readonly drift?: ReadonlySet<string>;
  readonly approvalId?: string;
}

export interface Answer extends Success<JsonObject> {
  readonly provenance: Provenance;
}

export interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

export interface ToolWorld {
  readonly database: TestDatabase;
  /** A connection as the owner of the tables, for arranging and looking. */
  readonly owner: Sql;
  readonly connections: Connections;
  readonly artifacts: ArtifactStore;
  readonly artifactDir: string;
  readonly outbox: Outbox;
  run(tool: Tool, args: unknown, options?: RunOptions): Promise<Answer>;
  /** The error code of a call that must not succeed. */
  refusal(tool: Tool, args: unknown, options?: RunOptions): Promise<ToolError>;
  tier(tool: Tool, args: unknown): Promise<string>;
  preconditions(tool: Tool, args: unknown): Promise<JsonObject>;
  /** The same with tier and preconditions asked for first, as before an approval, and every statement that was run, in order. */
  record(tool: Tool, args: unknown, options?: RunOptions): Promise<{ answer: Answer; statements: Statement[] }>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly timeZone?: string;
  readonly cutover?: string;
  readonly settings?: Partial<TmsSettings>;
  /** Of a running messaging room; without one nothing is published and no answer waits. */
  readonly outbox?: Outbox;
  readonly database?: TestDatabase;
}

const SETTINGS: TmsSettings = {
  keysConfigTrigger: 'notify_only',
  commandTypes: COMMAND_TYPES,
  deploy: { floor: 5, cap: 50, fraction: 0.01, windowHours: 24, alwaysForTiers: [] },
};

export async function toolWorld(pg: TestPostgres, options: WorldOptions = {}): Promise<ToolWorld> {
  const database = options.database ?? (await pg.database('product'));
  const owner = pg.connect(database.owner);
  const connections = new Connections({
    urls: { product: { read: database.read, write: database.write } },
    poolSize: 8,
  });
  const artifactDir = await mkdtemp(join(tmpdir(), 'penstock-artifacts-'));
  const artifacts = artifactStore(artifactDir);
  const quiet = createOutbox({
    pool: connections.ownTables('product'),
    topics: topicsUnder('tms/v1'),
    signals: createSignals(),
  });
  const outbox: Outbox = options.outbox ?? {
    ...quiet,
    waitPublished: (id, _ms, signal) => quiet.waitPublished(id, 0, signal),
  };
  const calendar = businessCalendar(options.timeZone ?? 'UTC', options.cutover ?? '00:00');
  const pages = cursors('a secret of the test suite');
  const tmsSettings = { ...SETTINGS, ...options.settings };
  const fresh = () => new AbortController().signal;
  const recorders: Sql[] = [];

  const contextOf = (
    tool: Tool,
    run: RunOptions,
    product: Reader,
    effect: ToolContext['effect'],
    signal = fresh(),
  ): ToolContext => {
    const all: Pick<Resources, 'product' | 'calendar' | 'cursors' | 'artifacts' | 'outbox' | 'tmsSettings'> = {
      product,
      calendar,
      cursors: pages,
      artifacts,
      outbox,
      tmsSettings,
    };
    const use = Object.fromEntries(tool.needs.map((need) => [need, all[need as keyof typeof all]]));
    const id = run.principal ?? 'local';
    return {
      server: 'tms',
      tool: tool.name,
      callId: randomUUID(),
      principal: {
        id,
        subject: id,
        issuer: null,
        client: null,
        human: false,
        onBehalfOf: null,
        roles: [],
        scopes: [],
        via: 'local',
      },
      signal,
      deadline: Number.POSITIVE_INFINITY,
      use: use as never,
      approval: run.approvalId ? { id: run.approvalId, approvedBy: ['someone'], tier: run.tier ?? 'T2' } : null,
      reason: null,
      tier: run.tier ?? tool.access.risk,
      keyed: run.keyed ?? false,
      drift: run.drift ?? new Set(),
      progress: () => {},
      log: () => {},
      effect,
    };
  };

  const realEffect =
    (tool: Tool): ToolContext['effect'] =>
    (work) =>
      connections.writer('product').transaction(fresh(), (tx) => work(tx.writer(tool.writes)));

  const read = (tool: Tool, args: unknown): Record<string, unknown> => {
    const parsed = readArguments(tool.input, args);
    if (parsed.ok) return parsed.value;
    throw new ToolError('INVALID_ARGUMENT', {
      message: parsed.issues.map((issue) => `${issue.path}: ${issue.message}`).join('; '),
      details: { issues: parsed.issues.map((issue) => ({ ...issue })) },
    });
  };

  const through = async (tool: Tool, args: unknown, context: ToolContext): Promise<Answer> => {
    const input = read(tool, args);
    await tool.check?.(context, input);
    const answer = await tool.run(context, input);
    tool.output.parse(answer.data);
    return answer as unknown as Answer;
  };

  const plain = (tool: Tool, run: RunOptions = {}) => {
    const signal = fresh();
    return contextOf(tool, run, connections.reader('product', signal), realEffect(tool), signal);
  };

  return {
    database,
    owner,
    connections,
    artifacts,
    artifactDir,
    outbox,
    run: (tool, args, run = {}) => through(tool, args, plain(tool, run)),
    async refusal(tool, args, run = {}) {
      const outcome = await through(tool, args, plain(tool, run)).catch((error: unknown) => error);
      if (outcome instanceof ToolError) return outcome;
      throw outcome instanceof Error ? outcome : new Error(`${tool.name} was not refused`);
    },
    async tier(tool, args) {
      return (await tool.tier!(plain(tool), read(tool, args))).tier;
    },
    preconditions: (tool, args) => tool.approval!.preconditions(plain(tool), read(tool, args)),
    async record(tool, args, run = {}) {
      const statements: Statement[] = [];
      const connect = (url: string) => {
        const sql = postgres(url, { max: 1, types: WIRE_TYPES, connection: { TimeZone: 'UTC' }, onnotice: () => {} });
        recorders.push(sql);
        return sql;
      };
      const reads = connect(database.read);
      const writes = connect(database.write);
      const watched = (client: Sql): Db =>
        drizzle({
          options: { parsers: {}, serializers: {} },
          unsafe(text: string, parameters: unknown[]) {
            statements.push({ text, parameters });
            return client.unsafe(text, parameters as never);
          },
        } as unknown as Sql);
      const reader: Reader = {
        database: 'product',
        read: (work) => work(watched(reads)),
        snapshot: (work) => work(watched(reads)),
      };
      const effect: ToolContext['effect'] = async (work) => {
        const result = await writes.begin(async (tx) => ({
          value: await work(new Writer(watched(tx as unknown as Sql), 'product', tool.writes)),
        }));
        return (result as { value: Awaited<ReturnType<typeof work>> }).value;
      };
      const context = contextOf(tool, run, reader, effect);
      await tool.tier?.(context, read(tool, args));
      await tool.approval?.preconditions(context, read(tool, args));
      const answer = await through(tool, args, context);
      return { answer, statements };
    },
    async close() {
      await Promise.all(recorders.map((sql) => sql.end({ timeout: 1 })));
      await connections.close();
      await rm(artifactDir, { recursive: true, force: true });
    },
  };
}
