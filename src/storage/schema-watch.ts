/**
 * Verifies at start, and again from time to time, that the live databases are what the tools were written for. Two statements of
 * the catalogue a database and role; no table is read. The result says which tools to leave out, and why.
 */
import type { JsonObject } from '../kit/json.ts';
import type { Server } from '../kit/server.ts';
import type { DatabaseName } from '../kit/tool.ts';
import { type Connections, OPERATION_DATABASES } from './connections.ts';
import type { StorageLog } from './log.ts';
import { type LiveTables, readCatalogue } from './schema-check/catalogue.ts';
import {
  type CheckedTool,
  compare,
  type IndexWish,
  type ReportOptions,
  type SchemaReport,
  type ToolReport,
  unverifiedColumns,
  writableReadRoles,
} from './schema-check/report.ts';

export type { CheckedTool, IndexWish, Missing, SchemaReport, ToolReport } from './schema-check/report.ts';

export interface SchemaCheckOptions extends ReportOptions {
  /** Schema of `oban_jobs`; `public` unless configured. */
  readonly obanSchema: string;
}

export async function checkSchema(
  connections: Connections,
  tools: readonly CheckedTool[],
  options: SchemaCheckOptions,
): Promise<SchemaReport> {
  const read = new Map<DatabaseName, LiveTables | undefined>();
  const write = new Map<DatabaseName, LiveTables | undefined>();
  const databases: Record<DatabaseName, 'checked' | 'unavailable' | 'not_configured'> = {
    product: 'not_configured',
    settlement: 'not_configured',
    risk: 'not_configured',
    mms: 'not_configured',
  };
  await Promise.all(
    OPERATION_DATABASES.map(async (name) => {
      if (!connections.has(name)) return;
      const seen = await connections
        .reader(name, undefined)
        .read((db) => readCatalogue(db, options.obanSchema))
        .catch(() => undefined);
      read.set(name, seen);
      databases[name] = seen ? 'checked' : 'unavailable';
      if (name === 'mms' || !connections.has(name, 'write')) return;
      const own = await connections
        .ownTables(name)
        .run(undefined, (db) => readCatalogue(db, options.obanSchema))
        .catch(() => undefined);
      write.set(name, own);
    }),
  );
  const writable = writableReadRoles(read);
  return {
    tools: compare(tools, { read, write, writable }, options),
    databases,
    writableReadRoles: writable,
    unverifiedColumns: unverifiedColumns(read),
  };
}

export interface SchemaWatchOptions extends Partial<SchemaCheckOptions> {
  readonly connections: Connections;
  readonly servers: readonly Pick<Server, 'name' | 'tools'>[];
  readonly log: StorageLog;
  /** Indexes a tool wants. */
  readonly indexes?: (server: string, tool: string) => readonly IndexWish[];
  /** Told when what can be offered, or a reason, has changed; not of the first report. */
  readonly onChange?: (report: SchemaReport) => void;
  readonly intervalMs?: number;
  /** How soon to look again while a database is unreachable. */
  readonly retryMs?: number;
}

export interface SchemaWatch {
  /** Checks for the first time, then every few minutes until stopped. */
  start(): Promise<void>;
  /** Checks now; a check that is under way is waited for, not doubled. */
  check(): Promise<SchemaReport>;
  stop(): Promise<void>;
  /** The latest report; undefined before the first. */
  report(): SchemaReport | undefined;
  /** Why a tool is disabled; null when it is not (a tool that waits for a database is not). */
  missing(server: string, tool: string): JsonObject[] | null;
  /** Optional columns the database lacks, as `db.table.column`. */
  drift(server: string, tool: string): ReadonlySet<string>;
  /** Indexes the tool wants and does not find. */
  unindexed(server: string, tool: string): readonly IndexWish[];
}

const NOTHING: ReadonlySet<string> = new Set();

export function createSchemaWatch(options: SchemaWatchOptions): SchemaWatch {
  const { connections, log, onChange, intervalMs = 300_000, retryMs = 15_000 } = options;
  const settings: SchemaCheckOptions = {
    obanSchema: options.obanSchema ?? 'public',
    failedTransactionVerified: options.failedTransactionVerified ?? false,
    strictRoles: options.strictRoles ?? false,
  };
  const tools: CheckedTool[] = options.servers.flatMap((server) =>
    server.tools.map(({ name, reads, writes }) => ({
      server: server.name,
      name,
      reads,
      writes,
      indexes: options.indexes?.(server.name, name) ?? [],
    })),
  );
  let report: SchemaReport | undefined;
  let byTool = new Map<string, ToolReport>();
  let driftByTool = new Map<string, ReadonlySet<string>>();
  let running: Promise<SchemaReport> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const look = async (): Promise<SchemaReport> => {
    const next = await checkSchema(connections, tools, settings);
    const changed = JSON.stringify(next) !== JSON.stringify(report);
    const first = report === undefined;
    report = next;
    byTool = new Map(next.tools.map((tool) => [key(tool.server, tool.tool), tool]));
    driftByTool = new Map(
      next.tools.map((tool) => [
        key(tool.server, tool.tool),
        new Set(tool.drift.map((m) => `${m.db}.${m.table}.${m.column}`)),
      ]),
    );
    if (changed) describe(next, log);
    if (changed && !first) onChange?.(next);
    clearTimeout(timer);
    if (!stopped) {
      const waiting = Object.values(next.databases).includes('unavailable');
      timer = setTimeout(() => void check(), waiting ? retryMs : intervalMs);
      timer.unref();
    }
    return next;
  };
  const check = (): Promise<SchemaReport> => {
    running ??= look().finally(() => {
      running = undefined;
    });
    return running;
  };

  return {
    start: async () => {
      await check();
    },
    check,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running?.catch(() => {});
    },
    report: () => report,
    missing: (server, tool) => {
      const entry = byTool.get(key(server, tool));
      return entry?.state === 'disabled' ? entry.missing.map((item) => ({ ...item })) : null;
    },
    drift: (server, tool) => driftByTool.get(key(server, tool)) ?? NOTHING,
    unindexed: (server, tool) => byTool.get(key(server, tool))?.unindexed ?? [],
  };
}

const key = (server: string, tool: string) => `${server}/${tool}`;

function describe(report: SchemaReport, log: StorageLog): void {
  for (const tool of report.tools) {
    const list = (items: ToolReport['missing']) =>
      items.map((m) => `${m.db}.${m.table}.${m.column} ${m.reason}`).join(', ');
    if (tool.state === 'disabled') log.warn(`tool ${tool.server}/${tool.tool} is off: ${list(tool.missing)}`);
    if (tool.drift.length > 0) log.warn(`tool ${tool.server}/${tool.tool} answers null for: ${list(tool.drift)}`);
  }
  for (const { db, table, privileges } of report.writableReadRoles) {
    log.warn(`WRITABLE_READ_ROLE: the read role could change ${db}.${table} (${privileges.join(', ')})`);
  }
}
