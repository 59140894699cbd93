import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy to the web app that a test can cut and mend. Unlike a browser's offline switch it also breaks open streams. */
export class CuttableProxy {
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #isCut = false;

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((client) => this.#take(client));
  }

  /** Passes connections through until `close`. */
  static async open(target: string): Promise<CuttableProxy> {
    const proxy = new CuttableProxy(new URL(target));
    proxy.#server.listen(0, proxy.#target.hostname);
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** The URL to open. Its host is the web app's own, so that cookies are sent. */
  get url(): string {
    return `${this.#target.protocol}//${this.#target.hostname}:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Closes every current and new connection. The port stays bound, so that no other program takes it before the proxy is mended. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }

  mend(): void {
    this.#isCut = false;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  #take(client: Socket): void {
    if (this.#isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(this.#target.port), this.#target.hostname);
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      // Cutting is the purpose of this class; the other side sees its own socket close.
      socket.on('error', () => socket.destroy());
    }
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  }
}
