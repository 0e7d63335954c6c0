import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../../../kit/index.ts';

/**
 * Files for terminals on disk, named by their content.
 * Guarantees: a file under its final name is whole and on disk (written aside, fsynced, renamed, folder fsynced), readable by this process's
 * user only, and never changed afterwards; a storage key names a file inside the folder or nothing. Writing the same bytes twice is one file.
 * Leaves to others: which files a row still names (`sweep` asks), and serving them to terminals.
 */
export interface ArtifactStore {
  /** Stores the bytes. Throws DEPENDENCY_UNAVAILABLE when the folder cannot be written. */
  put(bytes: Uint8Array): Promise<{ readonly storageKey: string; readonly sha256: string }>;
  /** Throws NOT_FOUND for a key that names no file here. */
  get(storageKey: string): Promise<Uint8Array>;
  /** Removes files older than `olderThanMs` that no row names: what a rolled-back transaction left. Returns how many. */
  sweep(named: (storageKeys: string[]) => Promise<ReadonlySet<string>>, olderThanMs: number): Promise<number>;
}

declare module '../../../kit/context.ts' {
  interface Resources {
    artifacts: ArtifactStore;
  }
}

/** Our own corner of the folder, so that the sweep never looks at files that others put there. */
const CORNER = 'config';
const KEY = /^config\/([0-9a-f]{2})\/\1[0-9a-f]{62}\.zip$/;

export function artifactStore(folder: string): ArtifactStore {
  return {
    async put(bytes) {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const shelf = sha256.slice(0, 2);
      const storageKey = `${CORNER}/${shelf}/${sha256}.zip`;
      try {
        const path = join(folder, CORNER, shelf);
        await mkdir(path, { recursive: true, mode: 0o700 });
        const target = join(folder, storageKey);
        const present = await stat(target).catch(() => null);
        if (present?.size === bytes.length) return { storageKey, sha256 };
        const aside = join(path, `.${sha256}.${randomUUID()}`);
        try {
          const file = await open(aside, 'wx', 0o600);
          try {
            await file.writeFile(bytes);
            await file.sync();
          } finally {
            await file.close();
          }
          await rename(aside, target);
        } catch (error) {
          await unlink(aside).catch(() => undefined);
          throw error;
        }
        const directory = await open(path, 'r');
        try {
          await directory.sync();
        } finally {
          await directory.close();
        }
        return { storageKey, sha256 };
      } catch (cause) {
        throw new ToolError('DEPENDENCY_UNAVAILABLE', { message: 'The artifact store is not available.', cause });
      }
    },
    async get(storageKey) {
      if (!KEY.test(storageKey)) throw new ToolError('NOT_FOUND');
      try {
        const file = await open(join(folder, storageKey), 'r');
        try {
          return await file.readFile();
        } finally {
          await file.close();
        }
      } catch (cause) {
        throw new ToolError('NOT_FOUND', { cause });
      }
    },
    async sweep(named, olderThanMs) {
      let removed = 0;
      const shelves = await readdir(join(folder, CORNER)).catch(() => []);
      for (const shelf of shelves) {
        const old: string[] = [];
        for (const name of await readdir(join(folder, CORNER, shelf))) {
          const { mtimeMs } = await stat(join(folder, CORNER, shelf, name));
          if (Date.now() - mtimeMs > olderThanMs) old.push(`${CORNER}/${shelf}/${name}`);
        }
        const keep = old.length > 0 ? await named(old.filter((key) => KEY.test(key))) : new Set<string>();
        for (const key of old.filter((candidate) => !keep.has(candidate))) {
          await unlink(join(folder, key));
          removed++;
        }
      }
      return removed;
    },
  };
}
