// A TCP proxy that can be broken: then it ends every connection that it has and each that comes.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface BreakableProxy {
  /** http://127.0.0.1:port */
  url: string;
  break(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function startBreakableProxy(targetUrl: string): Promise<BreakableProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let isBroken = false;
  const keep = (socket: Socket, peer: Socket): void => {
    sockets.add(socket);
    // However one side ends, the other does, too; a broken connection is what this is for.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      peer.destroy();
    });
  };
  const server = createServer((client) => {
    if (isBroken) {
      client.destroy();
      return;
    }
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    keep(client, upstream);
    keep(upstream, client);
    client.pipe(upstream);
    upstream.pipe(client);
  });
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    break() {
      isBroken = true;
      endAll();
    },
    mend() {
      isBroken = false;
    },
    close() {
      endAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
