import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A real mosquitto on loopback (Debian package `mosquitto`), with its own folder, which can be stopped and started again. */
export interface Mosquitto {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

const BINARY = ['/usr/sbin/mosquitto', '/usr/bin/mosquitto', '/opt/homebrew/sbin/mosquitto'].find((path) =>
  existsSync(path),
);

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return reject(new Error('no port'));
      server.close(() => resolve(address.port));
    });
  });

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** `acl`: lines of an access list for anonymous clients, such as `topic readwrite tms/v1/#`; all is allowed without. */
export async function startMosquitto(options: { readonly acl?: string } = {}): Promise<Mosquitto> {
  if (BINARY === undefined) throw new Error('mosquitto is not installed: apt-get install mosquitto');
  const binary = BINARY;
  const folder = await mkdtemp(join(tmpdir(), 'penstock-mosquitto-'));
  const port = await freePort();
  const file = join(folder, 'mosquitto.conf');
  const aclFile = join(folder, 'acl');
  if (options.acl !== undefined) await writeFile(aclFile, options.acl, { mode: 0o600 });
  await writeFile(
    file,
    `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence true\npersistence_location ${folder}/\nlog_dest none\n${options.acl === undefined ? '' : `acl_file ${aclFile}\n`}${
      process.getuid?.() === 0 ? 'user root\n' : ''
    }`,
  );
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    const started = spawn(binary, ['-c', file], { stdio: 'ignore' });
    child = started;
    for (let tries = 0; tries < 200; tries += 1) {
      if (started.exitCode !== null) throw new Error(`mosquitto ended with ${started.exitCode}`);
      if (await answers(port)) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error('mosquitto does not listen');
  };
  const stop = async (): Promise<void> => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null) return;
    await new Promise<void>((resolve) => {
      running.once('exit', () => resolve());
      running.kill('SIGTERM');
    });
  };
  await start();
  return {
    url: `mqtt://127.0.0.1:${port}`,
    start,
    stop,
    async remove() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
