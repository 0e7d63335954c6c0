/**
 * A real PostgreSQL under a data folder, for the default set-up and the tests.
 *
 * Guarantees: it listens on 127.0.0.1 only, with SCRAM passwords made at random and kept in `postgres.json` (mode 600, never
 * logged); data survive restarts; a start after `kill -9` takes over a server that is still running or clears the lock of one
 * that is not; two gateways never use one data folder at once (an advisory lock held for the life of the first); stopping ends
 * within 16 seconds. Locale C, encoding UTF-8, time zone UTC.
 * Left to others: migrations, data, backups. It is not meant for production: configure database URLs there.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { z } from 'zod';
import { exists, type Placement, place } from './embedded/account.ts';
import { EmbeddedError } from './embedded/error.ts';
import { findRunning, initialise, launch, type Running, terminate, trimLog } from './embedded/process.ts';
import type { StorageLog } from './log.ts';
import { ensureDatabases, ensureRoles } from './provision.ts';
import { LOGIN_ROLES, type LoginRole } from './roles.ts';

export { EmbeddedError, type EmbeddedErrorCode } from './embedded/error.ts';

export const SUPERUSER = 'penstock';
const OWNER_LOCK = 0x50454e53;

/** Databases of the default set-up. The operation's carry `demo` in their name, which is what allows them to be seeded. */
export const DEMO_DATABASES = {
  gateway: 'gateway',
  product: 'product_demo',
  settlement: 'settlement_demo',
  mms: 'mms_demo',
  risk: 'risk_demo',
} as const;

const SERVER_SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  max_connections: '200',
  shared_buffers: '64MB',
  jit: 'off',
  max_wal_size: '512MB',
  // Statements and their parameters stay out of the server's log.
  log_min_error_statement: 'panic',
  log_statement: 'none',
};

export interface EmbeddedOptions {
  /** Data folder; made when absent. */
  readonly dir: string;
  readonly log: StorageLog;
  /** Databases to have; default: the five of the demo operation. */
  readonly databases?: readonly string[];
  /** Server settings on top of the defaults (the tests switch `fsync` off). */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedServer {
  readonly port: number;
  readonly pid: number;
  /** Stays the same over restarts and is this data folder's alone. */
  readonly id: string;
  /** True when this start created the cluster. */
  readonly created: boolean;
  /** URL as the owner of everything, for migrations and seeding. */
  url(database: string): string;
  roleUrl(database: string, role: LoginRole): string;
  stop(): Promise<void>;
}

const stateSchema = z.object({ secret: z.string().min(32), port: z.number().int().optional() });
type State = z.infer<typeof stateSchema>;

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const dir = path.resolve(options.dir);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const stateFile = path.join(dir, 'postgres.json');
  const logFile = path.join(dir, 'postgres.log');
  const { state, fresh } = await loadState(stateFile);
  const placement = await place(dir, (line) => options.log.info(line));
  if (fresh) await discardStranger(dir, placement);
  const passwordOf = (role: string) => createHmac('sha256', state.secret).update(role).digest('base64url');
  const created = await initialise(placement, SUPERUSER, passwordOf(SUPERUSER));
  await trimLog(logFile);

  const address = (running: Running, user: string, database: string) =>
    `postgres://${user}:${passwordOf(user)}@127.0.0.1:${running.port}/${encodeURIComponent(database)}`;

  const adopted = await adopt(placement.cluster, (r) => address(r, SUPERUSER, 'postgres'), options.log);
  const server = adopted ?? (await launch(placement, logFile, state.port, { ...SERVER_SETTINGS, ...options.settings }));
  if (state.port !== server.port) await saveState(stateFile, { ...state, port: server.port });

  const owner = postgres(address(server, SUPERUSER, 'postgres'), {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 10,
    onnotice: () => {},
    connection: { application_name: 'penstock owner' },
  });
  try {
    const [lock] = await owner<{ held: boolean }[]>`select pg_try_advisory_lock(${OWNER_LOCK}) as held`;
    if (!lock?.held) {
      throw new EmbeddedError('EMBEDDED_IN_USE', `The data folder ${dir} is in use by another running gateway.`);
    }
    const passwords = Object.fromEntries(LOGIN_ROLES.map((role) => [role, passwordOf(role)]));
    await ensureRoles(owner, passwords);
    await ensureDatabases(owner, options.databases ?? Object.values(DEMO_DATABASES));
  } catch (error) {
    await owner.end({ timeout: 1 });
    const inUse = error instanceof EmbeddedError && error.code === 'EMBEDDED_IN_USE';
    if (!inUse) await terminate(placement.cluster, server.pid);
    throw error;
  }

  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await owner.end({ timeout: 1 });
    const clean = await terminate(placement.cluster, server.pid);
    if (!clean) options.log.warn('PostgreSQL had to be stopped hard; it recovers at the next start');
  };
  return {
    port: server.port,
    pid: server.pid,
    id: createHmac('sha256', state.secret).update('id').digest('hex').slice(0, 16),
    created,
    url: (database) => address(server, SUPERUSER, database),
    roleUrl: (database, role) => address(server, role, database),
    stop: () => (stopping ??= stop()),
  };
}

/** Takes over a server left running by a gateway that died. One that does not answer is stopped. */
async function adopt(
  cluster: string,
  url: (running: Running) => string,
  log: StorageLog,
): Promise<Running | undefined> {
  const deadline = Date.now() + 10_000;
  let found = await findRunning(cluster);
  if (!found) return undefined;
  while (found && Date.now() < deadline) {
    if (found.ready && (await answers(url(found)))) {
      log.info('taking over the PostgreSQL that is already running on this data folder');
      return found;
    }
    await sleep(50);
    found = await findRunning(cluster);
  }
  if (found) {
    log.warn('a PostgreSQL on this data folder does not answer and is stopped');
    await terminate(cluster, found.pid);
    await findRunning(cluster);
  }
  return undefined;
}

async function answers(url: string): Promise<boolean> {
  const probe = postgres(url, { max: 1, connect_timeout: 3, fetch_types: false, onnotice: () => {} });
  try {
    await probe`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await probe.end({ timeout: 1 });
  }
}

/** Database files whose passwords are gone. Outside the data folder they are left over from a folder that was deleted to start anew. */
async function discardStranger(dir: string, placement: Placement): Promise<void> {
  if (!(await exists(placement.cluster))) return;
  if (!placement.elsewhere) {
    throw new EmbeddedError(
      'EMBEDDED_INIT_FAILED',
      `The data folder ${dir} holds database files but no postgres.json; restore that file or move the folder away.`,
    );
  }
  const running = await findRunning(placement.cluster);
  if (running) await terminate(placement.cluster, running.pid);
  await rm(placement.cluster, { recursive: true, force: true });
}

async function loadState(file: string): Promise<{ state: State; fresh: boolean }> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify({ secret: randomBytes(32).toString('base64url') })}\n`, { mode: 0o600 });
  // A link fails where the file exists, so of two starts at once both end with the same secret.
  const fresh = await link(draft, file).then(
    () => true,
    () => false,
  );
  await rm(draft);
  await chmod(file, 0o600);
  const state = stateSchema.safeParse(parseJson(await readFile(file, 'utf8')));
  if (!state.success) throw new EmbeddedError('EMBEDDED_INIT_FAILED', `${file} is not readable as what it should be.`);
  return { state: state.data, fresh };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function saveState(file: string, state: State): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  await rename(draft, file);
}

/**
 * Runs `work` on the embedded server of a data folder for a command beside the gateway: the running one when a gateway uses the folder,
 * else one started for the occasion.
 */
export async function visitEmbedded<T>(
  dir: string,
  work: (server: Pick<EmbeddedServer, 'url' | 'roleUrl'>) => Promise<T>,
): Promise<T> {
  const quiet = { info: () => {}, warn: () => {} };
  let own: EmbeddedServer;
  try {
    own = await startEmbedded({ dir, log: quiet });
  } catch (error) {
    if (!(error instanceof EmbeddedError) || error.code !== 'EMBEDDED_IN_USE') throw error;
    const { state } = await loadState(path.join(path.resolve(dir), 'postgres.json'));
    const passwordOf = (role: string) => createHmac('sha256', state.secret).update(role).digest('base64url');
    const roleUrl = (database: string, role: string) =>
      `postgres://${role}:${passwordOf(role)}@127.0.0.1:${state.port}/${encodeURIComponent(database)}`;
    return work({ url: (database) => roleUrl(database, SUPERUSER), roleUrl });
  }
  try {
    return await work(own);
  } finally {
    await own.stop();
  }
}
