// The commits that every candidate stores: data files with one run in each of 288 partitions of one topic.
import { randomBytes } from 'node:crypto';
import type { CommitFile, Id } from '@penstock/metadata-core';

export const RUNS_PER_COMMIT = 288;

/** One batch of ten records of 1 KiB per run, compressed to about half. */
const RECORDS_PER_RUN = 10;
const STORED_BYTES = 5_300;
const UNCOMPRESSED_BYTES = 10_400;

const partitions = Uint32Array.from({ length: RUNS_PER_COMMIT }, (_, run) => run);
const columns = {
  fileBytes: RUNS_PER_COMMIT * STORED_BYTES,
  runTopic: new Uint32Array(RUNS_PER_COMMIT),
  runPartition: partitions,
  runPosition: Float64Array.from(partitions, (run) => run * STORED_BYTES),
  runBatches: new Uint32Array(RUNS_PER_COMMIT).fill(1),
  batchBytes: new Uint32Array(RUNS_PER_COMMIT).fill(STORED_BYTES),
  batchRecords: new Uint32Array(RUNS_PER_COMMIT).fill(RECORDS_PER_RUN),
  batchUncompressedBytes: new Float64Array(RUNS_PER_COMMIT).fill(UNCOMPRESSED_BYTES),
};

/** A commit of a new file, as an agent would send it now. */
export function newCommit(topicId: Id, nowMs = Date.now()): CommitFile {
  return {
    kind: 'commit-file',
    ...columns,
    fileId: newFileId(nowMs),
    topicIds: [topicId],
    batchMaxTimestampMs: timestamps(nowMs),
    producers: null,
  };
}

/** Producers' clocks and delays differ. */
function timestamps(nowMs: number): Float64Array {
  const column = new Float64Array(RUNS_PER_COMMIT);
  for (let run = 0; run < RUNS_PER_COMMIT; run += 1) {
    column[run] = nowMs - ((run * 7) % 50);
  }
  return column;
}

const idBytes = randomBytes(16);
let commits = 0;

/** A UUIDv7. Cheap, so that generating the load costs the measured machine little: random once, then counted. */
export function newFileId(nowMs: number): Id {
  const id = Buffer.from(idBytes);
  id.writeUIntBE(nowMs, 0, 6);
  id.writeUInt8(0x70 | (id.readUInt8(6) & 0x0f), 6);
  id.writeUInt8(0x80 | (id.readUInt8(8) & 0x3f), 8);
  id.writeUIntBE(commits, 10, 6);
  commits += 1;
  return id;
}
