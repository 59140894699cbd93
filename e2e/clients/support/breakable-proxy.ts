// A TCP proxy with two faults. Broken: it closes every current and new connection, like a host whose program is gone. Stalled: it keeps
// connections and passes nothing on, like a network that loses every packet.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface BreakableProxy {
  /** The URL, such as http://127.0.0.1:port */
  url: string;
  port: number;
  break(): void;
  stall(): void;
  /** Ends either fault. What was sent during a stall arrives now. */
  mend(): void;
  close(): Promise<void>;
}

export async function startBreakableProxy(targetUrl: string): Promise<BreakableProxy> {
  const target = new URL(targetUrl);
  /** Both ends of each connection, in both directions. */
  const peers = new Map<Socket, Socket>();
  let fault: 'none' | 'broken' | 'stalled' = 'none';
  const keep = (socket: Socket, peer: Socket): void => {
    peers.set(socket, peer);
    // When one side closes, the other is closed too; broken connections are the purpose of this proxy.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      peers.delete(socket);
      peer.destroy();
    });
  };
  const server = createServer((client) => {
    if (fault === 'broken') {
      client.destroy();
      return;
    }
    const upstream = connect({ host: target.hostname, port: Number(target.port) });
    keep(client, upstream);
    keep(upstream, client);
    if (fault === 'none') {
      client.pipe(upstream);
      upstream.pipe(client);
    }
  });
  const endAll = (): void => {
    for (const socket of peers.keys()) {
      socket.destroy();
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    break() {
      fault = 'broken';
      endAll();
    },
    stall() {
      fault = 'stalled';
      for (const [socket, peer] of peers) {
        socket.unpipe(peer);
      }
    },
    mend() {
      if (fault === 'stalled') {
        for (const [socket, peer] of peers) {
          socket.pipe(peer);
        }
      }
      fault = 'none';
    },
    close() {
      endAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
