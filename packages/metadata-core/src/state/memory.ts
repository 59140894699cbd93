// Estimates the memory of a state: exact for typed arrays, from measured sizes for objects (packages/bench/src/metadata/state-memory.ts
// measures both).
import type { ClusterState } from './cluster-state.ts';
import type { Group } from './group.ts';
import type { Security } from './security.ts';
import type { Transactions } from './transactions.ts';

const PARTITION_BYTES = 110;
/** Besides the typed arrays. */
const RUN_INDEX_BYTES = 330;
const PRODUCER_TABLE_BYTES = 180;
const GROUP_BYTES = 750;
const MEMBER_BYTES = 1_000;
/** Of a member of the new protocol; estimated. */
const ASSIGNED_PARTITION_BYTES = 150;
const OFFSETS_OF_TOPIC_BYTES = 350;
const OFFSET_BYTES = 135;
const GRANT_BYTES = 200;
/** Three small byte arrays among them. */
const CREDENTIAL_BYTES = 1_070;
/** Besides the characters of its names, which are stored in it and in its key. */
const ACL_BYTES = 370;
const QUOTA_BYTES = 450;
/** A transactional id; estimated, like the three after it. */
const TRANSACTIONAL_ID_BYTES = 500;
const TRANSACTION_PARTITION_BYTES = 120;
const PENDING_OFFSET_BYTES = 200;
const ABORTED_BYTES = 72;

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
  /** Users, ACLs and quotas. */
  security: number;
  /** Transactional ids, and open and aborted transactions. */
  transactions: number;
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
    security: securityBytes(state.security),
    transactions: transactionBytes(state.transactions),
  };
  return { ...sizes, total: Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0) };
}

function securityBytes({ credentials, acls, aclChars, quotas }: Security): number {
  return credentials.size * CREDENTIAL_BYTES + acls.size * ACL_BYTES + aclChars * 2 + quotas.size * QUOTA_BYTES;
}

function transactionBytes({ byId, counts }: Transactions): number {
  return (
    byId.size * TRANSACTIONAL_ID_BYTES +
    counts.partitions * TRANSACTION_PARTITION_BYTES +
    counts.offsets * PENDING_OFFSET_BYTES +
    counts.aborted * ABORTED_BYTES
  );
}

function groupBytes(group: Group): number {
  let bytes = GROUP_BYTES;
  for (const partitions of group.offsets.values()) {
    bytes += OFFSETS_OF_TOPIC_BYTES + partitions.size * OFFSET_BYTES;
  }
  for (const member of group.consumer?.members.values() ?? []) {
    bytes += MEMBER_BYTES;
    for (const numbers of member.assigned.values()) {
      // Held, owned, and in the target.
      bytes += numbers.size * ASSIGNED_PARTITION_BYTES;
    }
  }
  for (const { protocols, assignment } of group.members.values()) {
    bytes += MEMBER_BYTES + assignment.length;
    for (const { metadata } of protocols) {
      bytes += metadata.length;
    }
  }
  return bytes;
}
