// Ids of topics and files: 16 raw bytes (UUID), as on the wire. Maps are keyed by their hexadecimal text.
import { byteAt } from './checked.ts';

/** 16 raw bytes of a UUID. Never modified after it was passed to `apply`. */
export type Id = Uint8Array;

/** The id as 32 hexadecimal digits: the key of every map over ids. */
export type IdKey = string;

export const ID_BYTES = 16;

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Returns the key of an id. */
export function idKey(id: Id): IdKey {
  let key = '';
  for (const byte of id) {
    key += HEX[byte];
  }
  return key;
}

/** Returns the id of a key made by `idKey`. */
export function idFromKey(key: IdKey): Id {
  const id = new Uint8Array(ID_BYTES);
  for (let at = 0; at < ID_BYTES; at += 1) {
    id[at] = Number.parseInt(key.slice(at * 2, at * 2 + 2), 16);
  }
  return id;
}

/** Whether two ids are the same 16 bytes. */
export function sameId(a: Id, b: Id): boolean {
  if (a.length !== b.length) {
    return false;
  }
  for (let at = 0; at < a.length; at += 1) {
    if (a[at] !== b[at]) {
      return false;
    }
  }
  return true;
}

/** The timestamp of a UUIDv7 in milliseconds since the Unix epoch (RFC 9562, 5.7). Undefined when it is not a UUIDv7. */
export function uuidV7TimeMs(id: Id): number | undefined {
  if (id.length !== ID_BYTES || (byteAt(id, 6) & 0xf0) !== 0x70 || (byteAt(id, 8) & 0xc0) !== 0x80) {
    return undefined;
  }
  let timeMs = 0;
  for (let at = 0; at < 6; at += 1) {
    timeMs = timeMs * 256 + byteAt(id, at);
  }
  return timeMs;
}

/** The first twelve random bits of the id of a file in landing buckets. */
const LANDED_MARK = 0xa7d;

/**
 * Whether a file lies in landing buckets, which it should leave soon. A hint: it is also true of one in 4,096 files of agents that knew no
 * landing buckets. Agents set the mark: see `is_landed` in `apps/agent/crates/store/src/landing.rs`.
 */
export function isLandedId(id: Id): boolean {
  return ((byteAt(id, 6) & 0x0f) << 8) + byteAt(id, 7) === LANDED_MARK;
}
