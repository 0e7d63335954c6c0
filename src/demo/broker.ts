import { createServer, type Socket } from 'node:net';
import { Aedes } from 'aedes';

/** The MQTT broker of the demo and of the default set-up: in process, on loopback, MQTT 3.1.1, in memory. */
export interface DemoBroker {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** Listens on `port` of loopback; on a free port where that one is taken. 0 asks for any. */
export async function startBroker(options: { readonly port?: number } = {}): Promise<DemoBroker> {
  const aedes = await Aedes.createBroker();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    aedes.handle(socket);
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  try {
    await listen(options.port ?? 1883);
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault && fault.code === 'EADDRINUSE')) {
      await new Promise<void>((resolve) => aedes.close(() => resolve()));
      throw fault;
    }
    await listen(0);
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the broker listens on no TCP port');
  return {
    url: `mqtt://127.0.0.1:${address.port}`,
    port: address.port,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await new Promise<void>((resolve) => aedes.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
