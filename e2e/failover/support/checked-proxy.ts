// A load balancer as operators have one: it passes connections on in turn, checks /readyz of each target every second, and
// takes a target out at the first failed check. Counts what a client would have noticed.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { every } from '@penstock/platform';

const CHECK_INTERVAL_MS = 1_000;

export interface Target {
  port: number;
  readyUrl: string;
}

export class CheckedProxy {
  /** Connections that a target refused or reset before its first byte. */
  refused = 0;
  passedOn = 0;
  readonly #server: Server;
  readonly #ready: Target[];
  readonly #stopChecks: () => Promise<void>;
  readonly #sockets = new Set<Socket>();
  #turn = 0;

  private constructor(server: Server, targets: readonly Target[]) {
    this.#server = server;
    this.#ready = [...targets];
    server.on('connection', (client) => this.#passOn(client));
    this.#stopChecks = every(CHECK_INTERVAL_MS, async () => {
      const checks = await Promise.all(targets.map(({ readyUrl }) => isReady(readyUrl)));
      this.#ready.splice(0, Number.POSITIVE_INFINITY, ...targets.filter((_target, index) => checks[index] === true));
    });
  }

  static async inFrontOf(targets: readonly Target[]): Promise<CheckedProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CheckedProxy(server, targets);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await this.#stopChecks();
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    this.#server.close();
  }

  #passOn(client: Socket): void {
    this.#turn += 1;
    const target = this.#ready[this.#turn % this.#ready.length];
    if (target === undefined) {
      this.refused += 1;
      client.destroy();
      return;
    }
    let hasAnswered = false;
    const upstream = connect(target.port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    }
    upstream.once('data', () => {
      hasAnswered = true;
      this.passedOn += 1;
    });
    upstream.on('error', () => {
      if (!hasAnswered) {
        this.refused += 1;
      }
      client.destroy();
    });
    client.on('error', () => upstream.destroy());
    client.pipe(upstream).pipe(client);
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(CHECK_INTERVAL_MS) })).ok;
  } catch {
    return false;
  }
}
