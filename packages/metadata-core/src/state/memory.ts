// The memory of a state: exact for typed arrays, from measured sizes for objects (e2e/bench/src/metadata/state-memory.ts measures both).
// Commands and the structures of the state keep running accounts, so reading them costs the same however much there is.

import type { Security } from '../model/security.ts';
import type { ClusterState } from './cluster-state.ts';
import { CHAR_BYTES } from './group-bytes.ts';
import type { Transactions } from './transactions.ts';

const AGENT_BYTES = 1_000;
const PARTITION_BYTES = 118;
const TOPIC_BYTES = 800;
const GRANT_BYTES = 200;
/** Estimated size of the configs of a group. */
const GROUP_CONFIGS_BYTES = 800;
/** Three small byte arrays among them. */
const CREDENTIAL_BYTES = 1_070;
/** Besides the characters of its names, which are stored in it and in its key. */
const ACL_BYTES = 370;
const QUOTA_BYTES = 450;
/** A transactional id; estimated, like the three after it. Part of the rules (see group-bytes.ts), as is the next. */
export const TRANSACTIONAL_ID_BYTES = 500;
export const TRANSACTION_PARTITION_BYTES = 120;
export const PENDING_OFFSET_BYTES = 200;
const ABORTED_BYTES = 72;

/** Bytes by kind of content. */
export interface StateMemory {
  files: number;
  runs: number;
  producers: number;
  /** Without their runs and producers. */
  partitions: number;
  topics: number;
  /** Groups with their members; their offsets are apart. */
  groups: number;
  /** Committed offsets, and those that wait in open transactions. */
  offsets: number;
  answers: number;
  grants: number;
  agents: number;
  /** Users, ACLs and quotas. */
  security: number;
  /** Transactional ids, and open and aborted transactions without their offsets. */
  transactions: number;
  total: number;
}

/** The bytes that the state has reserved. Takes the same time however much there is. */
export function memoryBytes(state: ClusterState): StateMemory {
  const { groupMemory, partitionMemory, transactions } = state;
  const sizes = {
    files: state.files.memoryBytes,
    runs: partitionMemory.runs,
    producers: partitionMemory.producers,
    partitions: state.partitionCount * PARTITION_BYTES,
    topics: state.topics.size * TOPIC_BYTES + state.topicChars * CHAR_BYTES,
    groups: groupMemory.members + state.groupConfigs.size * GROUP_CONFIGS_BYTES,
    offsets: groupMemory.offsets + pendingOffsetBytes(transactions),
    answers: state.answers.memoryBytes,
    grants: state.producerIdGrants.size * GRANT_BYTES,
    agents: state.agents.size * AGENT_BYTES,
    security: securityBytes(state.security),
    transactions: transactionBytes(transactions),
  };
  return { ...sizes, total: Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0) };
}

function securityBytes({ credentials, acls, aclChars, quotas }: Security): number {
  return (
    credentials.size * CREDENTIAL_BYTES + acls.size * ACL_BYTES + aclChars * CHAR_BYTES + quotas.size * QUOTA_BYTES
  );
}

/** Size of ids and partitions, without offsets and aborted transactions. */
export function openTransactionBytes({ byId, counts }: Transactions): number {
  return (
    byId.size * TRANSACTIONAL_ID_BYTES + counts.partitions * TRANSACTION_PARTITION_BYTES + counts.chars * CHAR_BYTES
  );
}

function transactionBytes(transactions: Transactions): number {
  return openTransactionBytes(transactions) + transactions.counts.aborted * ABORTED_BYTES;
}

/** Size of the offsets that wait in open transactions. */
export function pendingOffsetBytes({ counts }: Transactions): number {
  return counts.offsets * PENDING_OFFSET_BYTES + counts.offsetChars * CHAR_BYTES;
}
