// An HTTP/2 client that sends one kind of request over one connection with as little work as possible: the load shares the machine with
// what it measures, and Node's own client costs more per call than the service does. Agents are written in Rust, whose client costs about
// as little as this. The bytes on the wire are the same: all header fields, compressed by HPACK against the connection's table, and the
// message in one DATA frame. Flow control of both sides is respected.
// https://www.rfc-editor.org/rfc/rfc9113, https://www.rfc-editor.org/rfc/rfc7541
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const FRAME_HEADER_BYTES = 9;
/** Every peer accepts frames of this size without announcing it. */
const MAX_FRAME_BYTES = 16_384;
const DATA = 0;
const HEADERS = 1;
const RST_STREAM = 3;
const SETTINGS = 4;
const PING = 6;
const GOAWAY = 7;
const WINDOW_UPDATE = 8;
const CONTINUATION = 9;
const ACK = 1;
const END_STREAM = 1;
const END_HEADERS = 4;
const PADDED = 8;
const PRIORITY = 32;
const SETTINGS_ENABLE_PUSH = 2;
const SETTINGS_INITIAL_WINDOW_SIZE = 4;
const DEFAULT_WINDOW_BYTES = 65_535;
/** The receive windows, the same as the agents'. */
const STREAM_WINDOW_BYTES = 4 << 20;
const CONNECTION_WINDOW_BYTES = 16 << 20;
/** `:status: 200` in HPACK's static table. */
const STATUS_200 = 0x80 | 8;

export interface LeanAnswer {
  isOk: boolean;
  body: Buffer;
}

interface Call {
  answer: LeanAnswer;
  chunks: Buffer[];
  resolve: (answer: LeanAnswer) => void;
  reject: (error: Error) => void;
}

export class LeanHttp2 {
  readonly #socket: Socket;
  readonly #headers: readonly [name: string, value: string][];
  readonly #calls = new Map<number, Call>();
  readonly #waiting: (() => void)[] = [];
  #received: Buffer = Buffer.alloc(0);
  #nextStream = 1;
  #indexedHeaders: Buffer | undefined;
  #sendWindow = DEFAULT_WINDOW_BYTES;
  #unreported = 0;

  private constructor(socket: Socket, headers: readonly [string, string][]) {
    this.#socket = socket;
    this.#headers = headers;
    socket.on('data', (bytes) => this.#receive(bytes));
    socket.on('close', () => this.#fail(new Error('the connection was closed')));
    socket.on('error', (error) => this.#fail(error));
  }

  /** @param headers of every request, pseudo-header fields first; includes content-length, as all bodies have the same length */
  static async connect(url: URL, headers: readonly [string, string][]): Promise<LeanHttp2> {
    const socket = connect(Number(url.port), url.hostname);
    await once(socket, 'connect');
    socket.setNoDelay(true);
    const client = new LeanHttp2(socket, headers);
    const settings = Buffer.alloc(12);
    settings.writeUInt16BE(SETTINGS_ENABLE_PUSH, 0);
    settings.writeUInt16BE(SETTINGS_INITIAL_WINDOW_SIZE, 6);
    settings.writeUInt32BE(STREAM_WINDOW_BYTES, 8);
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    socket.write(frame(SETTINGS, 0, 0, settings));
    socket.write(frame(WINDOW_UPDATE, 0, 0, uint32(CONNECTION_WINDOW_BYTES - DEFAULT_WINDOW_BYTES)));
    return client;
  }

  async post(body: Buffer): Promise<LeanAnswer> {
    if (body.length > MAX_FRAME_BYTES) {
      throw new Error(`a body of ${body.length} bytes does not fit one frame`);
    }
    while (this.#sendWindow < body.length) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#sendWindow -= body.length;
    const stream = this.#nextStream;
    this.#nextStream += 2;
    const { promise, resolve, reject } = Promise.withResolvers<LeanAnswer>();
    this.#calls.set(stream, { answer: { isOk: false, body: NOTHING }, chunks: [], resolve, reject });
    const headers = this.#headerBlock();
    const request = Buffer.allocUnsafe(2 * FRAME_HEADER_BYTES + headers.length + body.length);
    writeFrameHeader(request, 0, headers.length, HEADERS, END_HEADERS, stream);
    headers.copy(request, FRAME_HEADER_BYTES);
    const at = FRAME_HEADER_BYTES + headers.length;
    writeFrameHeader(request, at, body.length, DATA, END_STREAM, stream);
    body.copy(request, at + FRAME_HEADER_BYTES);
    if (this.#socket.writableCorked === 0) {
      // Requests of one event loop turn are sent together, as by an HTTP/2 client in Rust.
      this.#socket.cork();
      process.nextTick(() => this.#socket.uncork());
    }
    this.#socket.write(request);
    return promise;
  }

  close(): void {
    this.#calls.clear();
    this.#socket.destroy();
  }

  /** The first request fills HPACK's dynamic table in order. From then on each field is one byte, and the last one added has index 62. */
  #headerBlock(): Buffer {
    if (this.#indexedHeaders !== undefined) {
      return this.#indexedHeaders;
    }
    this.#indexedHeaders = Buffer.from(this.#headers.map((_, index) => 0x80 | (61 + this.#headers.length - index)));
    return Buffer.concat(this.#headers.flatMap(([name, value]) => [Buffer.of(0x40), literal(name), literal(value)]));
  }

  #receive(bytes: Buffer): void {
    const all = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
    let at = 0;
    while (all.length - at >= FRAME_HEADER_BYTES) {
      const end = at + FRAME_HEADER_BYTES + all.readUIntBE(at, 3);
      if (end > all.length) {
        break;
      }
      const payload = all.subarray(at + FRAME_HEADER_BYTES, end);
      this.#take(all.readUInt8(at + 3), all.readUInt8(at + 4), all.readUInt32BE(at + 5), payload);
      at = end;
    }
    this.#received = all.subarray(at);
  }

  #take(type: number, flags: number, stream: number, payload: Buffer): void {
    switch (type) {
      case HEADERS:
        this.#takeHeaders(flags, stream, payload);
        break;
      case DATA:
        this.#takeData(flags, stream, payload);
        break;
      case WINDOW_UPDATE:
        // Each stream's window is large enough for any body.
        if (stream === 0) {
          this.#sendWindow += payload.readUInt32BE(0);
          for (const resume of this.#waiting.splice(0)) {
            resume();
          }
        }
        break;
      case SETTINGS:
        if ((flags & ACK) === 0) {
          this.#socket.write(frame(SETTINGS, ACK, 0, NOTHING));
        }
        break;
      case PING:
        if ((flags & ACK) === 0) {
          this.#socket.write(frame(PING, ACK, 0, payload));
        }
        break;
      case RST_STREAM:
      case GOAWAY:
      case CONTINUATION:
        this.#fail(new Error(`the service sent a frame of type ${type}`));
        break;
    }
  }

  #takeHeaders(flags: number, stream: number, payload: Buffer): void {
    const call = this.#calls.get(stream);
    if (call === undefined || (flags & (PADDED | PRIORITY)) !== 0 || (flags & END_HEADERS) === 0) {
      this.#fail(new Error('the service sent headers that were not expected'));
      return;
    }
    call.answer.isOk = payload[0] === STATUS_200;
    if ((flags & END_STREAM) !== 0) {
      this.#end(stream, call);
    }
  }

  #takeData(flags: number, stream: number, payload: Buffer): void {
    const call = this.#calls.get(stream);
    if (call === undefined || (flags & PADDED) !== 0) {
      this.#fail(new Error('the service sent data that were not expected'));
      return;
    }
    call.chunks.push(payload);
    this.#unreported += payload.length;
    if (this.#unreported > CONNECTION_WINDOW_BYTES / 2) {
      this.#socket.write(frame(WINDOW_UPDATE, 0, 0, uint32(this.#unreported)));
      this.#unreported = 0;
    }
    if ((flags & END_STREAM) !== 0) {
      this.#end(stream, call);
    }
  }

  #end(stream: number, { answer, chunks, resolve }: Call): void {
    this.#calls.delete(stream);
    answer.body = chunks.length === 1 ? (chunks[0] ?? NOTHING) : Buffer.concat(chunks);
    resolve(answer);
  }

  #fail(error: Error): void {
    for (const { reject } of this.#calls.values()) {
      reject(error);
    }
    this.#calls.clear();
    this.#socket.destroy();
  }
}

const NOTHING = Buffer.alloc(0);

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const bytes = Buffer.alloc(FRAME_HEADER_BYTES + payload.length);
  writeFrameHeader(bytes, 0, payload.length, type, flags, stream);
  payload.copy(bytes, FRAME_HEADER_BYTES);
  return bytes;
}

function writeFrameHeader(
  bytes: Buffer,
  at: number,
  length: number,
  type: number,
  flags: number,
  stream: number,
): void {
  bytes.writeUIntBE(length, at, 3);
  bytes.writeUInt8(type, at + 3);
  bytes.writeUInt8(flags, at + 4);
  bytes.writeUInt32BE(stream, at + 5);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** An HPACK string without Huffman coding. */
function literal(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  const length = bytes.length < 0x7f ? [bytes.length] : [0x7f, bytes.length - 0x7f];
  if (bytes.length >= 0x7f + 0x80) {
    throw new Error(`a header field of ${bytes.length} bytes is too long`);
  }
  return Buffer.concat([Buffer.from(length), bytes]);
}
