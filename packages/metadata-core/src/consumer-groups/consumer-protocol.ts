// The messages of Kafka's classic consumers inside JoinGroup and SyncGroup: ConsumerProtocolSubscription and ConsumerProtocolAssignment
// (https://kafka.apache.org/protocol.html). The service reads them when classic consumers share a group with those of the new protocol.
import { ByteReader } from '../bytes/byte-reader.ts';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';

export interface ConsumerSubscription {
  readonly topics: readonly string[];
  /** Topic name -> partitions. */
  readonly owned: readonly (readonly [topic: string, partitions: readonly number[]])[];
  readonly rackId: string | null;
}

const OWNED_SINCE = 1;
const GENERATION_SINCE = 2;
const RACK_SINCE = 3;

/** The length of an array; one that cannot fit is refused before anything is reserved for it. Null counts as empty. */
function readCount(from: ByteReader): number {
  const count = from.int32();
  if (count > from.remaining) {
    throw new CorruptDataError('an array is longer than its message');
  }
  return Math.max(0, count);
}

function readText(from: ByteReader): string | null {
  const length = from.int16();
  return length < 0 ? null : new TextDecoder('utf-8', { fatal: true }).decode(from.view(length));
}

/** Null when the bytes are not a subscription. */
export function decodeSubscription(metadata: Uint8Array): ConsumerSubscription | null {
  return guarded(() => {
    const from = new ByteReader(metadata);
    const version = from.int16();
    if (version < 0) {
      return null;
    }
    const topics = Array.from({ length: readCount(from) }, () => readText(from) ?? '');
    // The user data.
    from.view(Math.max(0, from.int32()));
    const owned = version < OWNED_SINCE ? [] : Array.from({ length: readCount(from) }, () => partitionsOfTopic(from));
    if (version >= GENERATION_SINCE) {
      from.int32();
    }
    return { topics, owned, rackId: version < RACK_SINCE ? null : readText(from) };
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
    const from = new ByteReader(assignment);
    return from.int16() < 0 ? null : Array.from({ length: readCount(from) }, () => partitionsOfTopic(from));
  });
}

function guarded<T>(read: () => T): T | null {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof CorruptDataError || cause instanceof TypeError) {
      return null;
    }
    throw cause;
  }
}

function partitionsOfTopic(from: ByteReader): [string, number[]] {
  return [readText(from) ?? '', Array.from({ length: readCount(from) }, () => from.int32())];
}

/** An assignment of version 0, which every consumer reads. */
export function encodeAssignment(topics: Iterable<readonly [name: string, partitions: readonly number[]]>): Uint8Array {
  const to = new ByteWriter();
  const list = [...topics];
  to.int16(0);
  to.int32(list.length);
  for (const [name, partitions] of list) {
    const text = new TextEncoder().encode(name);
    to.int16(text.length);
    to.raw(text);
    to.int32(partitions.length);
    for (const partition of partitions) {
      to.int32(partition);
    }
  }
  // No user data.
  to.int32(-1);
  return to.written();
}
