// A TCP proxy that keeps a copy of all bytes in both directions, like somebody on the network who reads along.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Tap {
  /** The URL, such as http://127.0.0.1:port */
  url: string;
  bytes(): number;
  saw(text: string): boolean;
  close(): Promise<void>;
}

/** @param targetPort on this machine; nothing needs to listen there yet */
export async function startTap(targetPort: number): Promise<Tap> {
  const sockets = new Set<Socket>();
  /** The bytes of each direction of each connection, so that no text is cut by bytes of another. */
  const streams: Buffer[][] = [];
  const pass = (from: Socket, to: Socket): void => {
    const stream: Buffer[] = [];
    streams.push(stream);
    sockets.add(from);
    from.on('data', (bytes: Buffer) => stream.push(bytes));
    from.on('error', () => from.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    from.pipe(to);
  };
  const server = createServer((client) => {
    const target = connect({ host: '127.0.0.1', port: targetPort });
    pass(client, target);
    pass(target, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    bytes: () => streams.flat().reduce((sum, { length }) => sum + length, 0),
    saw: (text) => streams.some((stream) => Buffer.concat(stream).includes(text)),
    async close() {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
