import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A line to the web app that a test can cut and mend: unlike a browser's offline switch it also ends open streams. */
export class CuttableProxy {
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  constructor(target: string) {
    this.#target = new URL(target);
  }

  /** The address to open. The host is the web app's own, so that its cookies hold. */
  get url(): string {
    return `${this.#target.protocol}//${this.#target.hostname}:${this.#port}`;
  }

  /** Lets connections through, on the same port as before if there was one. */
  async open(): Promise<void> {
    const server = createServer((client) => {
      const upstream = connect(Number(this.#target.port), this.#target.hostname);
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket);
        socket.on('close', () => this.#sockets.delete(socket));
        // A cut is the point of this class; the other side learns of it by its own socket.
        socket.on('error', () => socket.destroy());
      }
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy());
      client.pipe(upstream).pipe(client);
    });
    server.listen(this.#port, this.#target.hostname);
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Ends every connection and refuses new ones. */
  async cut(): Promise<void> {
    const closed = this.#server === undefined ? Promise.resolve() : once(this.#server, 'close');
    this.#server?.close();
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    await closed;
    this.#server = undefined;
  }
}
