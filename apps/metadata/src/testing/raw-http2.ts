// Requests as they go over the wire, for tests of what a client library would never send or would hide.
import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from 'node:http2';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const MAX_MEMORY_MB = 256;

export class RawHttp2 {
  readonly #session: ClientHttp2Session;

  constructor(url: string) {
    // Bodies that the service does not want wait here.
    this.#session = connect(url, { maxSessionMemory: MAX_MEMORY_MB });
  }

  /** @param parts of the body, each sent as it is */
  async post(path: string, headers: OutgoingHttpHeaders, parts: readonly Uint8Array[]): Promise<RawAnswer> {
    const stream = this.#session.request({ ':method': 'POST', ':path': path, ...headers });
    const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
    const answer: RawAnswer = { status: 0, headers: {}, body: Buffer.alloc(0) };
    stream.once('response', ({ ':status': status, ...rest }) => {
      answer.status = status ?? 0;
      for (const [name, value] of Object.entries(rest)) {
        // It tells the second in which the answer was made.
        if (name !== 'date') {
          answer.headers[name] = String(value);
        }
      }
    });
    stream.on('data', (chunk: Buffer) => {
      answer.body = Buffer.concat([answer.body, chunk]);
    });
    // A refusal may come before the whole body was sent, whose rest is then of no interest.
    stream.on('error', (error) => (answer.status === 0 ? reject(error) : undefined));
    stream.once('close', () => resolve(answer));
    for (const part of parts) {
      stream.write(part);
    }
    stream.end();
    return promise;
  }

  /** Starts a request, sends a part of its body and breaks it off. Resolves when the service has the part. */
  async breakOff(path: string, headers: OutgoingHttpHeaders, part: Uint8Array): Promise<void> {
    const stream = this.#session.request({ ':method': 'POST', ':path': path, ...headers });
    await new Promise<void>((resolve) => stream.write(part, () => resolve()));
    await new Promise<void>((resolve) => this.#session.ping(() => resolve()));
    const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()));
    stream.on('error', () => undefined);
    stream.close(constants.NGHTTP2_CANCEL);
    await closed;
  }

  close(): void {
    this.#session.destroy();
  }
}
