// A hand-written Kafka connection, in the clear or with TLS: one request at a time.
import { connect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { frame, int16, int32, string } from './raw-kafka.ts';

const CONNECT_EVENT = { plain: 'connect', tls: 'secureConnect' };
const RESETS: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

function closed(cause?: Error): Error {
  return new Error('the connection was closed', { cause });
}

export class RawConnection {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #correlationId = 0;
  #waiting: { resolve(payload: Buffer): void; reject(error: Error): void } | undefined;
  #error: Error | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    // A peer that closes before it has read everything resets the connection.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      this.#fail(RESETS.has(error.code ?? '') ? closed(error) : error),
    );
    socket.on('close', () => this.#fail(closed()));
  }

  /** @throws when the connection is refused or times out */
  static async open(bootstrap: string, timeoutMs: number, tls?: ConnectionOptions): Promise<RawConnection> {
    const [host = '', port = ''] = bootstrap.split(':');
    const address = { host, port: Number(port), noDelay: true };
    const socket = tls === undefined ? connect(address) : connectTls({ ...address, ...tls });
    const connection = new RawConnection(socket);
    const event = tls === undefined ? CONNECT_EVENT.plain : CONNECT_EVENT.tls;
    await connection.#inTime(timeoutMs, (resolve) => socket.once(event, () => resolve(Buffer.alloc(0))));
    return connection;
  }

  /**
   * Sends a request and returns its response without the header. One at a time. `isFlexible`: this version has tagged fields.
   * @throws when the connection breaks or the response times out. The connection is then closed, and the outcome of the request is unknown
   */
  async ask(apiKey: number, apiVersion: number, body: Buffer, timeoutMs: number, isFlexible = false): Promise<Buffer> {
    this.#correlationId += 1;
    const header = [int16(apiKey), int16(apiVersion), int32(this.#correlationId), string('checker')];
    const tags = Buffer.alloc(isFlexible ? 1 : 0);
    const request = frame(Buffer.concat([...header, tags, body]));
    const answer = await this.#inTime(timeoutMs, () => this.#socket.write(request));
    return answer.subarray(tags.length);
  }

  close(): void {
    this.#socket.destroy();
  }

  #inTime(timeoutMs: number, begin: (resolve: (payload: Buffer) => void) => void): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.#error !== undefined) {
        reject(this.#error);
        return;
      }
      const timer = setTimeout(() => {
        this.#fail(new Error(`no answer within ${timeoutMs} ms`));
      }, timeoutMs);
      const done = (payload: Buffer): void => {
        clearTimeout(timer);
        this.#waiting = undefined;
        resolve(payload);
      };
      this.#waiting = {
        resolve: done,
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      begin(done);
    });
  }

  #take(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    if (this.#received.length < 4 || this.#received.length < 4 + this.#received.readInt32BE(0)) {
      return;
    }
    const end = 4 + this.#received.readInt32BE(0);
    const payload = this.#received.subarray(4, end);
    this.#received = this.#received.subarray(end);
    if (payload.readInt32BE(0) === this.#correlationId) {
      this.#waiting?.resolve(payload.subarray(4));
    } else {
      this.#fail(new Error(`an answer to request ${payload.readInt32BE(0)}, asked was ${this.#correlationId}`));
    }
  }

  #fail(error: Error): void {
    this.#error ??= error;
    this.#socket.destroy();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(this.#error);
  }
}
