// A hand-written Kafka connection: one request at a time, in non-flexible versions.
import { connect, type Socket } from 'node:net';
import { frame, int16, int32, string } from '../support/raw-kafka.ts';

export class RawConnection {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #correlationId = 0;
  #waiting: { resolve(payload: Buffer): void; reject(error: Error): void } | undefined;
  #error: Error | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the connection was closed')));
  }

  /** @throws when the connection is refused or times out */
  static async open(bootstrap: string, timeoutMs: number): Promise<RawConnection> {
    const [host = '', port = ''] = bootstrap.split(':');
    const socket = connect({ host, port: Number(port), noDelay: true });
    const connection = new RawConnection(socket);
    await connection.#inTime(timeoutMs, (resolve) => socket.once('connect', () => resolve(Buffer.alloc(0))));
    return connection;
  }

  /**
   * Sends a request and returns its response without the correlation id. One at a time.
   * @throws when the connection breaks or the response times out. The connection is then closed, and the outcome of the request is unknown
   */
  ask(apiKey: number, apiVersion: number, body: Buffer, timeoutMs: number): Promise<Buffer> {
    this.#correlationId += 1;
    const header = Buffer.concat([int16(apiKey), int16(apiVersion), int32(this.#correlationId), string('checker')]);
    return this.#inTime(timeoutMs, () => this.#socket.write(frame(Buffer.concat([header, body]))));
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
