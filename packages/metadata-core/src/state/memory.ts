// Estimates the memory of a state: exact for typed arrays, from measured sizes for objects (packages/bench/src/metadata/state-memory.ts
// measures both).
import type { ClusterState } from './cluster-state.ts';
import type { Group } from './group.ts';

const PARTITION_BYTES = 110;
/** Besides the typed arrays. */
const RUN_INDEX_BYTES = 330;
const PRODUCER_TABLE_BYTES = 180;
const GROUP_BYTES = 750;
const MEMBER_BYTES = 1_000;
const OFFSETS_OF_TOPIC_BYTES = 350;
const OFFSET_BYTES = 135;
const GRANT_BYTES = 200;

/** Bytes by kind of content. */
export interface StateMemory {
  files: number;
  runs: number;
  producers: number;
  /** Without their runs and producers. */
  partitions: number;
  groups: number;
  answers: number;
  grants: number;
  total: number;
}

/** The bytes that the state has reserved. Takes a few nanoseconds per partition and per group, and none per file, run or producer. */
export function memoryBytes(state: ClusterState): StateMemory {
  let runs = 0;
  let producers = 0;
  for (const topic of state.topics.values()) {
    for (const partition of topic.partitions) {
      runs += partition.runs === null ? 0 : RUN_INDEX_BYTES + partition.runs.memoryBytes;
      producers += partition.producers === null ? 0 : PRODUCER_TABLE_BYTES + partition.producers.memoryBytes;
    }
  }
  let groups = 0;
  for (const group of state.groups.values()) {
    groups += groupBytes(group);
  }
  const sizes = {
    files: state.files.memoryBytes,
    runs,
    producers,
    partitions: state.partitionCount * PARTITION_BYTES,
    groups,
    answers: state.answers.memoryBytes,
    grants: state.producerIdGrants.size * GRANT_BYTES,
  };
  return { ...sizes, total: Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0) };
}

function groupBytes(group: Group): number {
  let bytes = GROUP_BYTES;
  for (const partitions of group.offsets.values()) {
    bytes += OFFSETS_OF_TOPIC_BYTES + partitions.size * OFFSET_BYTES;
  }
  for (const { protocols, assignment } of group.members.values()) {
    bytes += MEMBER_BYTES + assignment.length;
    for (const { metadata } of protocols) {
      bytes += metadata.length;
    }
  }
  return bytes;
}
