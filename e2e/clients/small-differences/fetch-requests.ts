// Fetch requests in versions that a server may not have announced, from a client that does not ask first and does not wait.
import { ask, header, int32, string } from '../support/raw-kafka.ts';
import { Reader } from '../support/wire-reader.ts';
import { compactArray, compactString, struct } from '../support/wire-writer.ts';

const FETCH = 1;
/** From this version on, requests have tagged fields. */
const FLEXIBLE_FROM = 12;
const MAX_BYTES = 1_000_000;
const READ_UNCOMMITTED = Buffer.from([0]);
/** A request without a session. */
const [NO_SESSION, LAST_EPOCH] = [int32(0), int32(-1)];

/** A Fetch of a new version without topics, so that their format does not matter. */
function newFetch(version: number): Buffer {
  const body = struct(
    ...[int32(0), int32(0), int32(MAX_BYTES), READ_UNCOMMITTED, NO_SESSION, LAST_EPOCH],
    ...[compactArray([]), compactArray([]), compactString('')],
  );
  return Buffer.concat([header(FETCH, version), Buffer.from([0]), body]);
}

/** A Fetch of version 3 or older: partition 0 from its first offset. */
function oldFetch(version: number, topic: string): Buffer {
  const partition = Buffer.concat([int32(0), int32(0), int32(0), int32(MAX_BYTES)]);
  return Buffer.concat([
    ...[header(FETCH, version), int32(-1), int32(0), int32(0)],
    ...(version < 3 ? [] : [int32(MAX_BYTES)]),
    ...[int32(1), string(topic), int32(1), partition],
  ]);
}

/** The error code of a Fetch of partition 0, or of the whole request in a new version; `closed` when the connection is. */
export async function fetchOutcome(bootstrap: string, version: number, topic: string): Promise<number | 'closed'> {
  const isOld = version >= 0 && version < FLEXIBLE_FROM;
  let answer: Buffer;
  try {
    answer = await ask(bootstrap, isOld ? oldFetch(version, topic) : newFetch(version));
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('The connection was closed')) {
      return 'closed';
    }
    throw error;
  }
  const reader = new Reader(answer);
  reader.int32(); // correlation id
  if (!isOld) {
    reader.bytes(1); // tagged fields of the header
    reader.int32(); // throttle time
    return reader.int16();
  }
  if (version > 0) {
    reader.int32(); // throttle time
  }
  const [[errorCode = 0] = []] = reader.array(() => {
    reader.string();
    return reader.array(() => {
      reader.int32(); // partition
      const found = reader.int16();
      reader.int64(); // high watermark
      reader.bytes(reader.int32());
      return found;
    });
  });
  return errorCode;
}

/** How often a client that connects again at once sends a Fetch of this version within `forMs`. */
export async function eagerFetches(bootstrap: string, version: number, topic: string, forMs: number): Promise<number> {
  const untilMs = performance.now() + forMs;
  let sent = 0;
  while (performance.now() < untilMs) {
    await fetchOutcome(bootstrap, version, topic);
    sent += 1;
  }
  return sent;
}
