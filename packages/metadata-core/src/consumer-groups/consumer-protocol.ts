// The messages of Kafka's classic consumers inside JoinGroup and SyncGroup: ConsumerProtocolSubscription and ConsumerProtocolAssignment
// (https://kafka.apache.org/protocol.html). The service reads them when classic consumers share a group with those of the new protocol.
import { ByteWriter } from '../bytes/byte-writer.ts';

export interface ConsumerSubscription {
  readonly topics: readonly string[];
  /** Topic name -> partitions. */
  readonly owned: readonly (readonly [topic: string, partitions: readonly number[]])[];
  readonly rackId: string | null;
}

const OWNED_SINCE = 1;
const GENERATION_SINCE = 2;
const RACK_SINCE = 3;

/** Big-endian, as all of Kafka's protocol. Reads past the end throw RangeError. */
class Cursor {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  int16(): number {
    this.#at += 2;
    return this.#view.getInt16(this.#at - 2);
  }

  int32(): number {
    this.#at += 4;
    return this.#view.getInt32(this.#at - 4);
  }

  /** The length of an array; one that cannot fit is refused before anything is reserved for it. */
  count(): number {
    const count = this.int32();
    if (count > this.#view.byteLength - this.#at) {
      throw new RangeError('an array is longer than its message');
    }
    return Math.max(0, count);
  }

  text(): string | null {
    const length = this.int16();
    return length < 0 ? null : new TextDecoder('utf-8', { fatal: true }).decode(this.#bytes(length));
  }

  skipBytes(): void {
    this.#bytes(Math.max(0, this.int32()));
  }

  #bytes(length: number): Uint8Array {
    if (length > this.#view.byteLength - this.#at) {
      throw new RangeError('a field is longer than its message');
    }
    this.#at += length;
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + this.#at - length, length);
  }
}

/** Null when the bytes are not a subscription. */
export function decodeSubscription(metadata: Uint8Array): ConsumerSubscription | null {
  return guarded(() => {
    const from = new Cursor(metadata);
    const version = from.int16();
    if (version < 0) {
      return null;
    }
    const topics = Array.from({ length: from.count() }, () => from.text() ?? '');
    from.skipBytes();
    const owned = version < OWNED_SINCE ? [] : Array.from({ length: from.count() }, () => partitionsOfTopic(from));
    if (version >= GENERATION_SINCE) {
      from.int32();
    }
    return { topics, owned, rackId: version < RACK_SINCE ? null : from.text() };
  });
}

/** Topic names with their partitions. Null when the bytes are not an assignment; an empty one is one of nothing. */
export function decodeAssignment(
  assignment: Uint8Array,
): readonly (readonly [topic: string, partitions: readonly number[]])[] | null {
  if (assignment.length === 0) {
    return [];
  }
  return guarded(() => {
    const from = new Cursor(assignment);
    return from.int16() < 0 ? null : Array.from({ length: from.count() }, () => partitionsOfTopic(from));
  });
}

function guarded<T>(read: () => T): T | null {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof RangeError || cause instanceof TypeError) {
      return null;
    }
    throw cause;
  }
}

function partitionsOfTopic(from: Cursor): [string, number[]] {
  return [from.text() ?? '', Array.from({ length: from.count() }, () => from.int32())];
}

/** An assignment of version 0, which every consumer reads. */
export function encodeAssignment(topics: Iterable<readonly [name: string, partitions: readonly number[]]>): Uint8Array {
  const to = new BigEndianWriter();
  const list = [...topics];
  to.int16(0);
  to.int32(list.length);
  for (const [name, partitions] of list) {
    const text = new TextEncoder().encode(name);
    to.int16(text.length);
    to.bytes.raw(text);
    to.int32(partitions.length);
    for (const partition of partitions) {
      to.int32(partition);
    }
  }
  // No user data.
  to.int32(-1);
  return to.bytes.written();
}

class BigEndianWriter {
  readonly bytes = new ByteWriter();

  int16(value: number): void {
    const at = this.bytes.claim(2);
    new DataView(at.buffer, at.byteOffset, 2).setInt16(0, value);
  }

  int32(value: number): void {
    const at = this.bytes.claim(4);
    new DataView(at.buffer, at.byteOffset, 4).setInt32(0, value);
  }
}
