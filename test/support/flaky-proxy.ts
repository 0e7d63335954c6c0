import { createServer, connect as dial, type Socket } from 'node:net';

/**
 * A TCP relay in front of a PostgreSQL that can lose the answer to one statement: it and its transaction are carried out, the client sees its
 * connection break.
 */
export interface FlakyProxy {
  readonly url: string;
  /** The next statement whose text contains `text` is answered by a broken connection. */
  loseAnswerTo(text: string): void;
  /** How many answers were lost so far. */
  readonly lost: number;
  close(): Promise<void>;
}

const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

export async function startFlakyProxy(url: string): Promise<FlakyProxy> {
  const target = new URL(url);
  const { hostname } = target;
  const port = Number(target.port);
  const open = new Set<Socket>();
  let wanted: string | null = null;
  let lost = 0;
  const server = createServer((client) => {
    const upstream = dial(port, hostname);
    let losing = false;
    open.add(client).add(upstream);
    client.on('data', (chunk) => {
      if (wanted !== null && chunk.includes(wanted)) {
        wanted = null;
        losing = true;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      // All is done when the server says that it is ready for the next statement and no transaction is open.
      if (losing && chunk.subarray(-6).equals(READY)) {
        lost += 1;
        client.destroy();
        return;
      }
      client.write(chunk);
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => {});
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  target.port = String(address.port);
  return {
    url: target.href,
    loseAnswerTo: (text) => {
      wanted = text;
    },
    get lost() {
      return lost;
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
