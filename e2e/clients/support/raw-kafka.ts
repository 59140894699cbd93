// A hand-written Kafka client for what no well-behaved client sends: broken frames, wrong lengths, wrong checksums.
import { connect, type Socket } from 'node:net';
import { crc32c } from './crc32c.ts';
import { Reader } from './wire-reader.ts';

/** A limit that only hanging requests reach. */
const TIMEOUT_MS = 60_000;

export async function open(bootstrap: string, localAddress?: string): Promise<Socket> {
  const [host = '', port = ''] = bootstrap.split(':');
  const socket = connect({ host, port: Number(port), ...(localAddress === undefined ? {} : { localAddress }) });
  // A refused or reset connection is a result that tests check, so it does not throw.
  socket.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => resolve());
    socket.once('close', () => reject(new Error(`${bootstrap} refuses connections`)));
  });
  return socket;
}

/** Resolves when the other side has closed the connection; rejects on timeout. */
export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.closed || socket.destroyed) {
      resolve();
      return;
    }
    const timer = setTimeout(() => reject(new Error('The connection is still open')), TIMEOUT_MS);
    socket.resume();
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

export function int16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeInt16BE(value);
  return buffer;
}

export function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
}

export function int64(value: bigint): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigInt64BE(value);
  return buffer;
}

export function string(text: string): Buffer {
  return Buffer.concat([int16(Buffer.byteLength(text)), Buffer.from(text)]);
}

/** A frame with a correct length field. */
export function frame(payload: Buffer): Buffer {
  return Buffer.concat([int32(payload.length), payload]);
}

/** Request header version 1: API key, API version, correlation id, client id. */
export function header(apiKey: number, apiVersion: number): Buffer {
  return Buffer.concat([int16(apiKey), int16(apiVersion), int32(1), string('raw')]);
}

/** Sends one frame and returns the payload of the response. @throws when the connection breaks or no response arrives in time */
export async function ask(bootstrap: string, payload: Buffer, timeoutMs = TIMEOUT_MS): Promise<Buffer> {
  const socket = await open(bootstrap);
  try {
    return await new Promise((resolve, reject) => {
      let received = Buffer.alloc(0);
      const timer = setTimeout(() => reject(new Error('No answer')), timeoutMs);
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        if (received.length >= 4 && received.length >= 4 + received.readInt32BE(0)) {
          clearTimeout(timer);
          resolve(received.subarray(4));
        }
      });
      socket.once('close', () => {
        clearTimeout(timer);
        reject(new Error('The connection was closed without an answer'));
      });
      socket.write(frame(payload));
    });
  } finally {
    socket.destroy();
  }
}

/** Zigzag, as in Kafka's records. */
export function varint(value: number): Buffer {
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  const bytes: number[] = [];
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}

/** One record batch (magic 2, uncompressed, no producer id) with one record. `isDamaged`: its checksum is wrong. */
export function recordBatch(value: string, { isDamaged = false } = {}): Buffer {
  const text = Buffer.from(value);
  const body = Buffer.concat([
    Buffer.from([0, 0, 0, 1]), // attributes, timestamp delta 0, offset delta 0, key length -1 (zigzag)
    varint(text.length),
    text,
    Buffer.from([0]), // no headers
  ]);
  const record = Buffer.concat([varint(body.length), body]);
  const now = BigInt(Date.now());
  const checked = Buffer.concat([
    int16(0), // attributes: no compression
    int32(0), // last offset delta
    int64(now),
    int64(now),
    int64(-1n), // producer id
    int16(-1), // producer epoch
    int32(-1), // base sequence
    int32(1), // records
    record,
  ]);
  const crc = (crc32c(checked) ^ (isDamaged ? 1 : 0)) | 0;
  const afterLength = Buffer.concat([int32(-1), Buffer.from([2]), int32(crc), checked]); // leader epoch, magic
  return Buffer.concat([int64(0n), int32(afterLength.length), afterLength]);
}

export interface ProduceAnswer {
  errorCode: number;
  /** Empty without an error. */
  errorMessage: string;
  baseOffset: number;
  /** For how long the client shall wait before its next request. */
  throttleMs: number;
}

/** Produce version 8 of one batch to partition 0, acks=all. */
export async function produceRaw(bootstrap: string, topic: string, batch: Buffer): Promise<ProduceAnswer> {
  const body = Buffer.concat([
    int16(-1), // no transactional id
    int16(-1), // acks
    int32(10_000), // timeout
    int32(1),
    string(topic),
    int32(1),
    int32(0), // partition
    int32(batch.length),
    batch,
  ]);
  const reader = new Reader(await ask(bootstrap, Buffer.concat([header(0, 8), body])));
  reader.int32(); // correlation id
  const [answer] = reader
    .array(() => {
      reader.string();
      return reader.array(() => {
        reader.int32(); // partition
        const [errorCode, baseOffset] = [reader.int16(), reader.int64()];
        reader.int64(); // time of the append
        reader.int64(); // log start offset
        reader.array(() => [reader.int32(), reader.string()]); // records with errors
        return { errorCode, baseOffset, errorMessage: reader.string() };
      });
    })
    .flat();
  if (answer === undefined) {
    throw new Error('Produce was answered without the partition');
  }
  return { ...answer, throttleMs: reader.int32() };
}
