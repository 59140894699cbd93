// Raw HTTP/2 requests, for tests of what a client library would never send or would hide.
import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from 'node:http2';
import { connect as connectSocket } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const MAX_MEMORY_MB = 256;

export class RawHttp2 {
  readonly #session: ClientHttp2Session;

  constructor(url: string) {
    // Bodies that the service does not read wait here.
    this.#session = connect(url, { maxSessionMemory: MAX_MEMORY_MB });
  }

  /** @param parts of the body, each sent separately */
  async post(path: string, headers: OutgoingHttpHeaders, parts: readonly Uint8Array[]): Promise<RawAnswer> {
    const stream = this.#session.request({ ':method': 'POST', ':path': path, ...headers });
    const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
    const answer: RawAnswer = { status: 0, headers: {}, body: Buffer.alloc(0) };
    stream.once('response', ({ ':status': status, ...rest }) => {
      answer.status = status ?? 0;
      for (const [name, value] of Object.entries(rest)) {
        // It depends on the second in which the response was made.
        if (name !== 'date') {
          answer.headers[name] = String(value);
        }
      }
    });
    stream.on('data', (chunk: Buffer) => {
      answer.body = Buffer.concat([answer.body, chunk]);
    });
    // A refusal may arrive before the whole body was sent; errors in sending the rest do not matter then.
    stream.on('error', (error) => (answer.status === 0 ? reject(error) : undefined));
    stream.once('close', () => resolve(answer));
    for (const part of parts) {
      stream.write(part);
    }
    stream.end();
    return promise;
  }

  /** Starts a request, sends a part of its body and aborts it. Resolves when the service has received the part. */
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

/**
 * Sends a request's headers on a connection of its own, then ends the connection with a TCP reset, as when a client dies. The frames are
 * written by hand, since Node's client would close the connection properly.
 */
export async function resetDuringRequest(url: string, path: string): Promise<void> {
  const { hostname, port, host } = new URL(url);
  const socket = connectSocket(Number(port), hostname);
  const headers = { ':method': 'POST', ':scheme': 'http', ':authority': host, ':path': path };
  const block = Object.entries({ ...headers, 'content-type': 'application/proto' }).map(([name, value]) =>
    Buffer.concat([Buffer.from([0]), lengthAndText(name), lengthAndText(value)]),
  );
  socket.write(PREFACE);
  socket.write(frame(FrameType.Settings, 0, 0, Buffer.alloc(0)));
  socket.write(frame(FrameType.Headers, END_HEADERS, 1, Buffer.concat(block)));
  // Frames are processed in order: once this one is answered, the server has the request.
  socket.write(frame(FrameType.Ping, 0, 0, Buffer.alloc(8)));
  await new Promise<void>((resolve) => {
    socket.on('data', (bytes) => {
      if (hasPingAnswer(bytes)) {
        resolve();
      }
    });
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.resetAndDestroy();
  await closed;
}

// https://www.rfc-editor.org/rfc/rfc9113#section-4.1, and #section-6 for the types
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const FrameType = { Headers: 1, Settings: 4, Ping: 6 } as const;
const END_HEADERS = 4;
const ACK = 1;
const FRAME_HEADER_BYTES = 9;

function frame(type: number, flags: number, streamId: number, body: Buffer): Buffer {
  const header = Buffer.alloc(FRAME_HEADER_BYTES);
  header.writeUIntBE(body.length, 0, 3);
  header.writeUInt8(type, 3);
  header.writeUInt8(flags, 4);
  header.writeUInt32BE(streamId, 5);
  return Buffer.concat([header, body]);
}

function hasPingAnswer(frames: Buffer): boolean {
  for (let at = 0; at + FRAME_HEADER_BYTES <= frames.length; at += FRAME_HEADER_BYTES + frames.readUIntBE(at, 3)) {
    if (frames.readUInt8(at + 3) === FrameType.Ping && frames.readUInt8(at + 4) === ACK) {
      return true;
    }
  }
  return false;
}

/** An HPACK string: shorter than 127 bytes and not compressed. https://www.rfc-editor.org/rfc/rfc7541#section-5.2 */
function lengthAndText(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
}
