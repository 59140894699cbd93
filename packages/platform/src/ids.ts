// Identifiers. Only this file creates them in the control plane.
import { randomFillSync, randomInt } from 'node:crypto';

/** 30 bits. Starts in the lower half, so that it wraps only after half a billion ids. */
let counter = randomInt(2 ** 29);

const ID_BYTES = 16;
/** Random bytes for the next ids. Generating many at once costs hardly more than a few. */
const pool = Buffer.alloc(256 * ID_BYTES);
let usedBytes = pool.length;

function nextRandom(): Buffer {
  if (usedBytes === pool.length) {
    randomFillSync(pool);
    usedBytes = 0;
  }
  usedBytes += ID_BYTES;
  return pool.subarray(usedBytes - ID_BYTES, usedBytes);
}

/**
 * A new UUIDv7. Ids sort by creation, even those that one process creates within one millisecond. For that, the time is
 * followed by a counter (RFC 9562, section 6.2, method 1) and 44 random bits.
 * @param nowMs milliseconds since the Unix epoch
 */
export function newId(nowMs: number = Date.now()): string {
  counter = (counter + 1) % 2 ** 30;
  const bytes = nextRandom();
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | (counter >>> 18), 6);
  bytes.writeUInt16BE(0x8000 | ((counter >>> 4) & 0x3fff), 8);
  bytes.writeUInt8(((counter & 0xf) << 4) | (bytes.readUInt8(10) & 0xf), 10);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID of any version. Check it before text reaches a uuid column. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}
