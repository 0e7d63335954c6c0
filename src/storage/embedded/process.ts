/**
 * The life of one PostgreSQL process: initdb, start, recognise one that is already there, stop.
 *
 * The server is started detached, so that Ctrl-C in a terminal reaches the gateway only, which drains before it stops the
 * database. The price is that a gateway that is killed leaves the server running; the next start recognises it by its
 * postmaster.pid and takes it over.
 */
import { execFile, spawn } from 'node:child_process';
import {
  chown,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { exists, type Placement } from './account.ts';
import { EmbeddedError } from './error.ts';

const run = promisify(execFile);
const LOG_LIMIT = 1_000_000;

export interface Running {
  readonly pid: number;
  readonly port: number;
}

function childEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, TMPDIR } = process.env;
  return { PATH, SystemRoot, TEMP, TMPDIR, LC_ALL: 'C', TZ: 'UTC' };
}

/** Makes the cluster once. It is built beside its final place and renamed, so a start killed half-way leaves no half cluster. */
export async function initialise(place: Placement, superuser: string, password: string): Promise<boolean> {
  if (await exists(path.join(place.cluster, 'PG_VERSION'))) return false;
  await removeAbandoned(place.cluster);
  const draft = `${place.cluster}.new-${process.pid}`;
  const passwordFile = `${place.cluster}.pw-${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600, flag: 'wx' });
  if (place.account) {
    await chown(draft, place.account.uid, place.account.gid);
    await chown(passwordFile, place.account.uid, place.account.gid);
  }
  const args = ['--pgdata', draft, '--username', superuser, '--pwfile', passwordFile, '--auth=scram-sha-256'];
  args.push('--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions');
  try {
    await run(place.initdb, args, { ...place.account, cwd: draft, env: childEnvironment() });
  } catch {
    await rm(draft, { recursive: true, force: true });
    throw new EmbeddedError('EMBEDDED_INIT_FAILED', 'initdb could not create the database files in the data folder.');
  } finally {
    await rm(passwordFile, { force: true });
  }
  try {
    await rename(draft, place.cluster);
    return true;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another start may have been faster.
    if (await exists(path.join(place.cluster, 'PG_VERSION'))) return false;
    throw error;
  }
}

/** Drafts of starts that were killed half-way; a password lies in them. */
async function removeAbandoned(cluster: string): Promise<void> {
  const folder = path.dirname(cluster);
  const draft = new RegExp(`^${path.basename(cluster)}\\.(?:new|pw)-(\\d+)$`);
  for (const name of await readdir(folder)) {
    const pid = Number(draft.exec(name)?.[1] ?? process.pid);
    if (pid !== process.pid && !alive(pid)) await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

/** What postmaster.pid says, when a process of this very cluster stands behind it; a stale file is removed. */
export async function findRunning(cluster: string): Promise<(Running & { ready: boolean }) | undefined> {
  const pidFile = path.join(cluster, 'postmaster.pid');
  const text = await readFile(pidFile, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10));
  if (!(pid > 1) || !(await servesCluster(pid, cluster))) {
    await rm(pidFile, { force: true });
    return undefined;
  }
  return { pid, port: Number.parseInt(lines[3] ?? '', 10) || 0, ready: lines[7]?.trim() === 'ready' };
}

/** Process ids are used again, after a reboot and in containers above all: only a process whose working folder is the cluster counts. */
async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  if (!alive(pid)) return false;
  if (process.platform === 'linux') {
    const [cwd, real] = await Promise.all([readlink(`/proc/${pid}/cwd`).catch(() => ''), realpath(cluster)]);
    return cwd === real;
  }
  if (process.platform === 'win32') return true;
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.includes('postgres') && stdout.includes(cluster);
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Starts the server and resolves when it accepts connections. `settings` are server options for this run. */
export async function launch(
  place: Placement,
  logFile: string,
  preferredPort: number | undefined,
  settings: Readonly<Record<string, string>>,
): Promise<Running> {
  let port = preferredPort !== undefined && (await portIsFree(preferredPort)) ? preferredPort : await freePort();
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const before = await logSize(logFile);
    const child = await spawnServer(place, logFile, port, settings);
    const outcome = await untilReady(place.cluster, child);
    if (outcome === 'ready') return { pid: child.pid, port };
    const why = (await readFile(logFile, 'utf8').catch(() => '')).slice(before);
    if (/could not bind|Address already in use|could not create any TCP/.test(why)) port = await freePort();
    else if (/pre-existing shared memory block|lock file .* already exists/.test(why)) await sleep(200);
    else throw await startFailure(place, why);
  }
  throw new EmbeddedError('EMBEDDED_START_FAILED', `PostgreSQL did not become ready within a minute; see ${logFile}.`);
}

async function startFailure(place: Placement, why: string): Promise<EmbeddedError> {
  if (/database files are incompatible/.test(why)) {
    const version = (await readFile(path.join(place.cluster, 'PG_VERSION'), 'utf8').catch(() => '?')).trim();
    return new EmbeddedError(
      'EMBEDDED_VERSION',
      `The data folder was made by PostgreSQL ${version}, which this release does not read; move the folder away to start anew.`,
    );
  }
  const fatal = /(?:FATAL|PANIC): +(.*)/.exec(why)?.[1] ?? 'no reason given';
  return new EmbeddedError('EMBEDDED_START_FAILED', `PostgreSQL did not start: ${fatal}`);
}

interface Child {
  readonly pid: number;
  exited: boolean;
}

async function spawnServer(
  place: Placement,
  logFile: string,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<Child> {
  const args = ['-D', place.cluster, '-p', String(port)];
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`);
  const out = await open(logFile, 'a', 0o600);
  try {
    const child = spawn(place.postgres, args, {
      ...place.account,
      cwd: place.cluster,
      env: childEnvironment(),
      detached: true,
      stdio: ['ignore', out.fd, out.fd],
    });
    const started = await new Promise<number>((resolve, reject) => {
      child.once('spawn', () => resolve(child.pid ?? 0));
      child.once('error', () =>
        reject(new EmbeddedError('EMBEDDED_START_FAILED', 'The PostgreSQL binary could not be executed.')),
      );
    });
    const state: Child = { pid: started, exited: false };
    child.once('exit', () => {
      state.exited = true;
    });
    child.unref();
    return state;
  } finally {
    await out.close();
  }
}

async function untilReady(cluster: string, child: Child): Promise<'ready' | 'exited'> {
  const deadline = Date.now() + 60_000;
  while (!child.exited && Date.now() < deadline) {
    const lines = (await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
    if (Number.parseInt(lines[0] ?? '', 10) === child.pid && lines[7]?.trim() === 'ready') return 'ready';
    await sleep(15);
  }
  return 'exited';
}

/** Fast shutdown first; harder after 10 s, so that stopping always ends. True when the shutdown was clean. */
export async function terminate(cluster: string, pid: number): Promise<boolean> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', 10_000],
    ['SIGQUIT', 3_000],
    ['SIGKILL', 3_000],
  ];
  for (const [signal, patience] of steps) {
    try {
      process.kill(pid, signal);
    } catch {
      return signal === 'SIGINT';
    }
    const deadline = Date.now() + patience;
    while (Date.now() < deadline) {
      if (!(await servesCluster(pid, cluster))) return signal === 'SIGINT';
      await sleep(20);
    }
  }
  return false;
}

export async function trimLog(logFile: string): Promise<void> {
  if ((await logSize(logFile)) > LOG_LIMIT) await truncate(logFile, 0);
}

async function logSize(logFile: string): Promise<number> {
  return stat(logFile).then(
    (s) => s.size,
    () => 0,
  );
}

function freePort(): Promise<number> {
  return listenOn(0);
}

async function portIsFree(port: number): Promise<boolean> {
  return listenOn(port).then(
    () => true,
    () => false,
  );
}

function listenOn(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
