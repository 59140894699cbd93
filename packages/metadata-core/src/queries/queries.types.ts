// The types of the read-only queries.
import type { Id } from '../model/ids.ts';
import type { Marker } from '../model/run.types.ts';
import type { ConsumerGroupStateName } from '../state/consumer-group.ts';
import type { GroupState } from '../state/group.types.ts';
import type { AbortedTransaction } from '../state/partition.types.ts';

/** A run in the index: consecutive batches of one partition, adjacent in one file; or the end of a transaction. */
export interface RunLocation {
  /** Empty for a marker, which has neither a file nor a position. */
  fileId: Id;
  /** First byte within the file. */
  position: number;
  bytes: number;
  baseOffset: number;
  records: number;
  maxTimestampMs: number;
  /** Size of the whole object. */
  fileBytes: number;
  /** Null: a run of a file. */
  marker: Marker | null;
}

export interface Cursor {
  topicId: Id;
  partition: number;
  offset: number;
  /** Enough runs for this many bytes, and at least one if there is any. */
  maxBytes: number;
}
export interface Located {
  errorCode: number;
  logStartOffset: number;
  highWatermark: number;
  lastStableOffset: number;
  /** The first holds `offset`. */
  runs: RunLocation[];
  /** Those that end in the first run or later and begin before the end of the last, by last offset. */
  aborted: AbortedTransaction[];
}

export interface OffsetQuery {
  topicId: Id;
  partition: number;
  /** As in Kafka: -1 latest, -2 earliest, -3 max timestamp, -4 earliest local, else the first record at or after. */
  timestampMs: number;
  /** For -3 and for a timestamp: only records at this offset or later count. */
  fromOffset: number;
  /** The log ends at the last stable offset. */
  isReadCommitted?: boolean;
}
export interface OffsetAnswer {
  errorCode: number;
  /** The offset; -1 if there is none. */
  offset: number;
  timestampMs: number;
  /**
   * The first run that held such a record when it was written; null: `offset` is exact. Records before `offset` may have been the only
   * ones: then query again from the end of the run.
   */
  run: RunLocation | null;
}

export interface ListedGroup {
  groupId: string;
  protocolType: string;
  state: GroupStateName;
  groupType: GroupTypeName;
}
export type GroupStateName = GroupState | ConsumerGroupStateName | 'Dead';
/** The names used by Kafka. */
export type GroupTypeName = 'Classic' | 'Consumer';

export interface DescribedGroup {
  errorCode: number;
  /** The message; empty if none. */
  errorMessage: string;
  groupId: string;
  /** Empty with an error. */
  groupType: GroupTypeName | '';
  state: GroupStateName;
  protocolType: string;
  protocolName: string;
  members: DescribedMember[];
}
export interface DescribedMember {
  memberId: string;
  groupInstanceId: string | null;
  clientId: string;
  clientHost: string;
  metadata: Uint8Array;
  assignment: Uint8Array;
}

export interface NamedPartitions {
  topicId: Id;
  /** Empty: the topic was deleted. */
  topicName: string;
  partitions: number[];
}
/** With an error, only the id and the message are set. */
export interface DescribedConsumerGroup {
  errorCode: number;
  errorMessage: string;
  groupId: string;
  state: ConsumerGroupStateName | '';
  groupEpoch: number;
  assignmentEpoch: number;
  assignorName: string;
  members: DescribedConsumerMember[];
}
export interface DescribedConsumerMember {
  memberId: string;
  instanceId: string | null;
  rackId: string | null;
  memberEpoch: number;
  clientId: string;
  clientHost: string;
  subscribedTopics: string[];
  subscribedRegex: string | null;
  assignment: NamedPartitions[];
  targetAssignment: NamedPartitions[];
  /** The member uses the classic protocol. */
  isClassic: boolean;
}

/** The background work that is due for a group of the new protocol. */
export interface ConsumerGroupWork {
  /** From when on a new assignment may be computed; null: none is due. */
  assignFromMs: number | null;
  /** Regular expressions to resolve, each with the principal and host whose ACLs decide. */
  regexes: { regex: string; principal: string; clientHost: string }[];
}

export interface DescribedGroupConfigs {
  groupId: string;
  /** `value` is the one in effect. */
  configs: { name: string; value: string; isDefault: boolean }[];
}

export interface CommittedOffset {
  topic: string;
  partition: number;
  /** The offset; -1 if there is none. */
  offset: number;
  leaderEpoch: number;
  metadata: string;
  errorCode: number;
}

/** Cumulative since the cluster was created; only accepted batches count. */
export interface ClusterTotals {
  uncompressedBytes: bigint;
  storedBytes: bigint;
  records: bigint;
  files: number;
  /** Minutes in which at least one agent was alive. */
  clusterMinutes: number;
}

export interface PartitionView {
  logStartOffset: number;
  highWatermark: number;
  /** Bytes of the runs that still hold live records. */
  storedBytes: number;
}

export interface RegisteredAgent {
  agentId: string;
  nodeId: number;
  zone: string;
  version: string;
  advertisedHost: string;
  advertisedPort: number;
  bucket: string;
  registeredAtMs: number;
  /** When it left; null while registered. */
  leftAtMs: number | null;
}

export interface HeartbeatCall {
  groupId: string;
  generationId: number;
  memberId: string;
  groupInstanceId: string | null;
}

export interface GroupTimers {
  groupId: string;
  /** When to send GroupDeadline; null: never. */
  deadlineMs: number | null;
  sessions: { memberId: string; sessionTimeoutMs: number }[];
}

/** Filters, each empty for all. */
export interface TransactionFilter {
  /** The names used by Kafka. */
  states: ReadonlySet<string>;
  producerIds: ReadonlySet<number>;
  /** Open for longer than this; negative: also those that are not open. */
  minDurationMs: number;
}

export interface DescribedTransaction {
  errorCode: number;
  transactionalId: string;
  /** Kafka's name; empty with an error. */
  state: string;
  producerId: number;
  producerEpoch: number;
  timeoutMs: number;
  /** -1: no transaction is open. */
  startedAtMs: number;
  updatedAtMs: number;
  /** Partitions of the open transaction, without those of deleted topics. */
  partitions: { topicId: Id; partition: number }[];
  groupIds: string[];
  clientId: string;
  agentId: string;
}

export interface ProducersOfPartition {
  errorCode: number;
  producers: ActiveProducer[];
}
export interface ActiveProducer {
  producerId: number;
  producerEpoch: number;
  /** The sequence; -1 if there is none. */
  lastSequence: number;
  /** When its last batch was committed. */
  lastTimestampMs: number;
  /** -1: no transaction is open in the partition. */
  transactionStartOffset: number;
}
