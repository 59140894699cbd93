// A snapshot as one array, for tests and small tools. The service writes and reads it part by part.
import type { ClusterState } from '../state/cluster-state.ts';
import { captureSnapshot } from './snapshot-capture.ts';
import { SnapshotReader } from './snapshot-reader.ts';

/** Encodes a snapshot. The same state always yields the same bytes. */
export function encodeSnapshot(state: ClusterState): Uint8Array {
  const parts = [...partsOf(state)];
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** @throws CorruptDataError */
export function decodeSnapshot(bytes: Uint8Array): ClusterState {
  const reader = new SnapshotReader();
  reader.push(bytes);
  return reader.finish();
}

function* partsOf(state: ClusterState): Iterable<Uint8Array> {
  const capture = captureSnapshot(state);
  try {
    for (let part = capture.nextPart(); part !== undefined; part = capture.nextPart()) {
      yield part;
    }
  } finally {
    capture.release();
  }
}
