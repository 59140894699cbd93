// Preloaded into a metadata process and its threads, turns it into the release before rules levels: the same code, with a journal that
// refuses what that release could not read, and fails loudly if something is written that it would not have written.
import { CorruptDataError } from '@penstock/metadata-core';
import { PostgresJournal } from '@penstock/metadata-journal';

/** The version bytes of the entries and snapshots that it could read. */
const KNOWN_VERSIONS: readonly (number | undefined)[] = [1, 2];
const WRITTEN_VERSION = 2;

const { append, read, readSnapshot, writeSnapshot } = PostgresJournal.prototype;

function requireKnown(bytes: Uint8Array, what: string): void {
  if (!KNOWN_VERSIONS.includes(bytes[0])) {
    throw new CorruptDataError(`${what}: version ${bytes[0]} is not one of 1 to 2, which are known here`);
  }
}

function requireWritten(bytes: Uint8Array, what: string): void {
  if (bytes[0] !== WRITTEN_VERSION) {
    throw new Error(`${what} of version ${bytes[0]} would be written by a release that knows none`);
  }
}

/** Only the first part of a snapshot begins with a version. */
async function* withFirst(
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  check: (bytes: Uint8Array) => void,
): AsyncIterable<Uint8Array> {
  let isFirst = true;
  for await (const part of parts) {
    if (isFirst) {
      check(part);
    }
    isFirst = false;
    yield part;
  }
}

PostgresJournal.prototype.append = function (cluster, previous, bytes) {
  requireWritten(bytes, 'an entry');
  return append.call(this, cluster, previous, bytes);
};

PostgresJournal.prototype.read = async function* (clusterId, after) {
  for await (const entry of read.call(this, clusterId, after)) {
    requireKnown(entry.bytes, 'journal entry');
    yield entry;
  }
};

PostgresJournal.prototype.writeSnapshot = function (clusterId, position, parts) {
  return writeSnapshot.call(
    this,
    clusterId,
    position,
    withFirst(parts, (bytes) => requireWritten(bytes, 'a snapshot')),
  );
};

PostgresJournal.prototype.readSnapshot = async function (clusterId, beforeSeq) {
  const snapshot = await readSnapshot.call(this, clusterId, beforeSeq);
  return snapshot && { ...snapshot, parts: withFirst(snapshot.parts, (bytes) => requireKnown(bytes, 'snapshot')) };
};
