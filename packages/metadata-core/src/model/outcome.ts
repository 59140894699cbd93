// The outcome of a command: the answer for its caller, and the effects to publish once it is durable.
import type { AnswerByKind, CommandKind } from './command.ts';
import type { JoinAnswer, SyncAnswer } from './groups.types.ts';
import type { Id } from './ids.ts';
import type { FileLevel, Marker } from './run.types.ts';
import type { ClusterMode } from './settings.ts';
import type { TopicDescription } from './topics.types.ts';

export interface Outcome<K extends CommandKind> {
  /**
   * False: the state is unchanged and the command need not be journaled. Its answer may still depend on commands that are not durable yet,
   * so it waits for those like any other.
   */
  changed: boolean;
  answer: AnswerByKind[K];
  effects: Effects;
  /** It was refused because the cluster holds as much as it may. */
  lacksMemory?: true;
}

/** To be published after the command is durable. Absent fields did not happen. */
export interface Effects {
  /** Runs that a committed file added to the index. */
  appended?: AppendedRuns;
  /** The ends of transactions. */
  markers?: AppendedMarker[];
  /** A merged file replaced others. No offset has changed. */
  replaced?: ReplacedRuns;
  /** Partitions whose log start offset moved. */
  truncated?: PartitionBounds[];
  catalogue?: CatalogueChange;
  /** The cluster's settings changed: read them from the state. */
  settingsChanged?: true;
  /** Users, ACLs, quotas or the settings of access control changed: read them from the state. */
  securityChanged?: true;
  groups?: GroupEffect[];
  /** A cluster-minute was counted; the meter reads it here. */
  minuteMarked?: { mode: ClusterMode };
}

/** Columns, one entry per run that entered the index, in the order of the file. */
export interface AppendedRuns {
  fileId: Id;
  fileBytes: number;
  count: number;
  topicIds: Id[];
  /** Index of the topic in topicIds. */
  topic: Uint32Array;
  partition: Uint32Array;
  position: Float64Array;
  bytes: Float64Array;
  baseOffset: Float64Array;
  records: Float64Array;
  maxTimestampMs: Float64Array;
  /** Log start offset of the run's partition, after the commit. */
  logStartOffset: Float64Array;
  /** baseOffset + records: the high watermark after this run. */
  highWatermark: Float64Array;
  /** -1: the high watermark. Null: that of every run. */
  lastStableOffset: Float64Array | null;
  /** Totals over the accepted batches, for the throughput chart. */
  storedBytes: number;
  uncompressedBytes: number;
  totalRecords: number;
}

/** The effects of a swap. The replaced runs stay readable at their old place until their files are deleted. */
export interface ReplacedRuns {
  fileId: Id;
  level: FileLevel;
  /** Whether only the latest record of each key was kept. */
  isCompacted: boolean;
  /** The commit time of the newest of its records. */
  committedAtMs: number;
  /** Bytes of the runs in the new file, without its index. */
  bytes: number;
  /** Bytes of the replaced runs. */
  replacedBytes: number;
  replacedRuns: number;
  newRuns: number;
  /** Metered as written: by how much a compacted file is longer than its sources. */
  meteredBytes: number;
}

export interface PartitionBounds {
  topicId: Id;
  partition: number;
  logStartOffset: number;
  highWatermark: number;
  lastStableOffset: number;
}

/** The end of a transaction in one partition. It is not metered: it adds no bytes and no records. */
export interface AppendedMarker extends PartitionBounds, Marker {
  baseOffset: number;
  timestampMs: number;
  /** The offset of the transaction's first record in the partition. */
  firstOffset: number;
}

export interface CatalogueChange {
  /** The new or changed topics. */
  topics: TopicDescription[];
  deletedTopicIds: Id[];
  agentsChanged: boolean;
}

export interface GroupEffect {
  groupId: string;
  /** Answers to parked JoinGroup calls; `answerTo` is the member id under which the call was parked. */
  joined: { answerTo: string; answer: JoinAnswer }[];
  /** Answers to parked SyncGroup calls. */
  synced: { answerTo: string; answer: SyncAnswer }[];
  /** When to send GroupDeadline; null: never. Replaces the previous deadline. */
  deadlineMs: number | null;
  /** Restart these members' session timers (as a heartbeat does, through the owner only). */
  sessions: { memberId: string; sessionTimeoutMs: number }[];
  /** Stop these members' session timers. */
  ended: string[];
}

/** The outcome of a command that changed the state. */
export function changed<K extends CommandKind>(answer: AnswerByKind[K], effects: Effects = {}): Outcome<K> {
  return { changed: true, answer, effects };
}

/** The outcome of a command that left the state unchanged. */
export function unchanged<K extends CommandKind>(answer: AnswerByKind[K]): Outcome<K> {
  return { changed: false, answer, effects: {} };
}
