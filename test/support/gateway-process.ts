import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres, { type Sql } from 'postgres';
import type { Test } from 'tap';
import type { JsonObject } from '../../src/kit/index.ts';
import { DEMO_DATABASES, visitEmbedded } from '../../src/storage/embedded.ts';
import { META, modernHeaders } from './http-gateway.ts';

/**
 * The real process: `penstock serve` on a port of the system's choice with a data folder of its own, driven over HTTP and by signals.
 * Everything it leaves behind is removed with the test that started it, however that test ends: the process, the PostgreSQL that outlives
 * a `kill -9`, and the folder.
 */
const HOME = fileURLToPath(new URL('../../', import.meta.url));
const READY = /Penstock is ready on (http:\/\/\S+)/;

/** What a test needs of the surroundings and nothing of its own runner. */
const surroundings = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], TMPDIR: tmpdir(), LANG: 'C.UTF-8' });

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A finished run of the command line. */
export interface Run extends Exit {
  readonly out: string;
  readonly err: string;
}

/** One answer to tools/call. */
export interface ToolAnswer {
  readonly http: number;
  /** `structuredContent`; empty when the answer is a JSON-RPC error. */
  readonly envelope: JsonObject;
  readonly data: JsonObject;
  readonly text: string;
  readonly isError: boolean;
  /** The envelope's error code in either form, or that of the JSON-RPC error. */
  readonly code: string | number | null;
}

export interface GatewayProcess {
  readonly dataDir: string;
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from spawn to the ready line. */
  readonly readyMs: number;
  /** What this start wrote so far. */
  readonly out: string;
  readonly err: string;
  call(server: string, tool: string, args?: unknown): Promise<ToolAnswer>;
  /** A connection as the owner of a database. It outlives the gateway for as long as its PostgreSQL runs. */
  connect(database: keyof typeof DEMO_DATABASES): Promise<Sql>;
  /** Sends a signal and waits for the end of the gateway (not of its PostgreSQL). */
  kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT'): Promise<Exit>;
  /** Starts again on the same data folder. */
  restart(env?: Record<string, string>): Promise<void>;
  /** The gateway's own processes and those of its data folder that are alive. */
  processes(): Promise<string[]>;
}

/** Data folders and processes to remove, should this process end before its tests have done so. */
const live = new Map<string, ChildProcess | null>();
process.on('exit', () => {
  for (const [dataDir, child] of live) {
    child?.kill('SIGKILL');
    sweep(dataDir);
  }
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly args: string;
}

function processTable(): Row[] {
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8', maxBuffer: 1 << 26 });
  return text.split('\n').flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    // A zombie is over: its parent has only not looked yet.
    return found && !found[3]!.startsWith('Z')
      ? [{ pid: Number(found[1]), parent: Number(found[2]), args: found[4]! }]
      : [];
  });
}

/** Processes that name the data folder, `also`, and all their descendants. */
function family(dataDir: string, also: readonly number[] = []): Row[] {
  const table = processTable().filter((row) => row.pid !== process.pid);
  const members = new Map(
    table.filter((row) => row.args.includes(dataDir) || also.includes(row.pid)).map((row) => [row.pid, row]),
  );
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const row of table) if (members.has(row.parent)) members.set(row.pid, row);
  }
  return [...members.values()];
}

function sweep(dataDir: string): void {
  for (const { pid } of family(dataDir)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  live.delete(dataDir);
}

/** A data folder that goes with the test, and whatever runs on it. */
export function dataFolder(t: Test): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'penstock-process-'));
  live.set(dataDir, null);
  t.teardown(() => sweep(dataDir));
  return dataDir;
}

function penstock(args: readonly string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', 'src/cli.ts', ...args], {
    cwd: HOME,
    env: { ...surroundings(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs the command line to its end; one that does not end within `ms` is killed. `meanwhile` works on the running process. */
export async function runPenstock(
  args: readonly string[],
  env: Record<string, string>,
  ms = 120_000,
  meanwhile: (child: ChildProcess) => Promise<void> = async () => {},
): Promise<Run> {
  const child = penstock(args, env);
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  let out = '';
  let err = '';
  child.stdout!.on('data', (part) => (out += String(part)));
  child.stderr!.on('data', (part) => (err += String(part)));
  const run = new Promise<Run>((resolve) =>
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, out, err });
    }),
  );
  await meanwhile(child);
  return run;
}

/** Starts a gateway and waits until it is ready. `env` holds for every later start too. */
export async function startGateway(
  t: Test,
  options: { env?: Record<string, string>; dataDir?: string } = {},
): Promise<GatewayProcess> {
  const dataDir = options.dataDir ?? dataFolder(t);
  const connections: Sql[] = [];
  let child!: ChildProcess;
  let ended!: Promise<Exit>;
  let out = '';
  let err = '';
  let url = '';
  let readyMs = 0;
  let seen: number[] = [];

  const start = async (env: Record<string, string>): Promise<void> => {
    const began = performance.now();
    out = '';
    err = '';
    const started = penstock(['serve'], {
      PORT: '0',
      PENSTOCK_DATA_DIR: dataDir,
      PENSTOCK_TELEMETRY_LOG_LEVEL: 'warn',
      ...options.env,
      ...env,
    });
    child = started;
    live.set(dataDir, started);
    ended = new Promise((done) => started.once('close', (code, signal) => done({ code, signal })));
    started.stderr!.on('data', (part) => (err += String(part)));
    url = await new Promise<string>((ready, fail) => {
      const timer = setTimeout(() => fail(new Error(`not ready in two minutes:\n${err}${out}`)), 120_000);
      started.stdout!.on('data', (part) => {
        out += String(part);
        const found = READY.exec(out);
        if (found) ready(found[1]!);
        if (found) clearTimeout(timer);
      });
      void ended.then(({ code, signal }) => {
        clearTimeout(timer);
        fail(new Error(`the gateway ended with ${code ?? signal}:\n${err}${out}`));
      });
    });
    readyMs = performance.now() - began;
    seen = [started.pid!, ...family(dataDir, [started.pid!]).map((row) => row.pid)];
  };

  t.teardown(async () => {
    await Promise.all(connections.map((sql) => sql.end({ timeout: 1 }).catch(() => {})));
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
    if (options.dataDir !== undefined) live.set(dataDir, null);
    else sweep(dataDir);
  });
  await start({});

  return {
    dataDir,
    get url() {
      return url;
    },
    get pid() {
      return child.pid!;
    },
    get readyMs() {
      return readyMs;
    },
    get out() {
      return out;
    },
    get err() {
      return err;
    },
    call: (server, tool, args = {}) => callTool(url, server, tool, args),
    async connect(database) {
      const address = await visitEmbedded(resolve(dataDir), async (s) => s.url(DEMO_DATABASES[database]));
      const sql = postgres(address, { max: 2, onnotice: () => {} });
      connections.push(sql);
      return sql;
    },
    async kill(signal) {
      child.kill(signal);
      return ended;
    },
    restart: (env = {}) => start(env),
    async processes() {
      const alive = new Set(processTable().map((row) => row.pid));
      const own = seen.filter((pid) => alive.has(pid));
      return family(dataDir, own).map((row) => `${row.pid} ${row.args}`);
    },
  };
}

/** One tools/call of revision 2026-07-28. Rejects when the connection breaks. */
export async function callTool(url: string, server: string, tool: string, args: unknown): Promise<ToolAnswer> {
  const response = await fetch(`${url}/mcp/${server}`, {
    method: 'POST',
    headers: modernHeaders('tools/call', tool),
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: args, _meta: META },
    }),
  });
  const body = await response.text();
  const line = body.startsWith('{')
    ? body
    : body
        .split('\n')
        .findLast((each) => each.startsWith('data: '))
        ?.slice(6);
  const { result, error } = JSON.parse(line ?? '{}') as {
    result?: { structuredContent?: JsonObject; content?: { text: string }[]; isError?: boolean };
    error?: { code: number };
  };
  const envelope = result?.structuredContent ?? {};
  return {
    http: response.status,
    envelope,
    data: (envelope['data'] ?? {}) as JsonObject,
    text: result?.content?.[0]?.text ?? '',
    isError: result?.isError === true,
    code:
      (((envelope['error'] as JsonObject | undefined) ?? envelope)['code'] as string | undefined) ??
      error?.code ??
      null,
  };
}
