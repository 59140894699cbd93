// Identifiers. The only place in the control plane that makes them.
import { randomBytes } from 'node:crypto';

/**
 * A new UUIDv7: its order in a B-tree is the order of creation.
 * @param now_ms milliseconds since the Unix epoch
 */
export function newId(now_ms: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now_ms, 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID of any version, so that it may reach a uuid column. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}
