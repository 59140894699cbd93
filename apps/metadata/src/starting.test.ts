// Agents keep calling a process that has just restarted: it listens before it has read the time from the database.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '@penstock/servers/free-port';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer } from './server.ts';
import { silentLogger } from './testing/cluster-fixture.ts';
import { ControlPlaneFixture } from './testing/control-plane-fixture.ts';
import { RawHttp2, resetDuringRequest } from './testing/raw-http2.ts';
import { testSettings } from './testing/test-server.ts';

const PATH = '/penstock.metadata.v1.MetadataService/DescribeCluster';

let controlPlane: ControlPlaneFixture;
let database: SlowDatabase;

beforeEach(async () => {
  controlPlane = await ControlPlaneFixture.create();
  database = await SlowDatabase.inFrontOf(controlPlane.database.ownerUrl);
});

afterEach(async () => {
  await database.close();
  await controlPlane.drop();
});

test('calls before readiness get a retry and may abort', async () => {
  const port = await freePort();
  const starting = startServer({ ...testSettings(database.url), port }, silentLogger);
  await database.asked;
  await resetDuringRequest(`http://127.0.0.1:${port}`, PATH);
  const client = new RawHttp2(`http://127.0.0.1:${port}`);
  for (const headers of [{ 'content-type': 'application/proto' }, { 'content-type': 'application/json' }]) {
    const answer = await client.post(PATH, headers, [new Uint8Array(0)]);
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body.toString())).toEqual({
      code: 'unavailable',
      message: 'this metadata process is starting: try again',
    });
  }
  database.answer();
  const server = await starting;
  const answer = await client.post(PATH, { 'content-type': 'application/proto' }, [new Uint8Array(0)]);
  expect(answer.status, 'the same connection is served from then on').toBe(401);
  client.close();
  await server.close();
});

/** A proxy to a database that accepts connections and forwards nothing until it is opened. */
class SlowDatabase {
  readonly asked: Promise<unknown>;
  readonly url: string;
  readonly #server: Server;
  readonly #opened = Promise.withResolvers<void>();
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, target: URL) {
    this.#server = server;
    this.asked = once(server, 'connection');
    const url = new URL(target);
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    this.url = url.href;
    server.on('connection', (socket) => void this.#passOn(socket, target));
  }

  static async inFrontOf(databaseUrl: string): Promise<SlowDatabase> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SlowDatabase(server, new URL(databaseUrl));
  }

  answer(): void {
    this.#opened.resolve();
  }

  async close(): Promise<void> {
    this.#opened.resolve();
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #passOn(socket: Socket, target: URL): Promise<void> {
    this.#track(socket);
    await this.#opened.promise;
    const upstream = this.#track(connect(Number(target.port), target.hostname));
    socket.pipe(upstream).pipe(socket);
  }

  #track(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }
}
