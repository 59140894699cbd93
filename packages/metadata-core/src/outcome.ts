// What a command did: the answer for its caller, and what others must hear once it is durable.
import type { AnswerByKind, CommandKind } from './command.ts';
import type { JoinAnswer, SyncAnswer } from './commands/groups.types.ts';
import type { TopicDescription } from './commands/topics.types.ts';
import type { Id } from './ids.ts';
import type { FileLevel } from './state/file-table.ts';
import type { ClusterMode } from './state/settings.ts';

export interface Outcome<K extends CommandKind> {
  /**
   * False: the state is as before and the command need not be journaled. Its answer may still rest on commands that are not
   * durable yet, so it waits for those like any other.
   */
  changed: boolean;
  answer: AnswerByKind[K];
  effects: Effects;
}

/** To be told after the command is durable. What is absent did not happen. */
export interface Effects {
  /** Runs that a committed file added to the index. */
  appended?: AppendedRuns;
  /** A merged file took the place of others. No offset has changed. */
  replaced?: ReplacedRuns;
  /** Partitions whose log start offset moved. */
  truncated?: PartitionBounds[];
  catalogue?: CatalogueChange;
  /** The cluster's settings changed: read them from the state. */
  settingsChanged?: true;
  groups?: GroupEffect[];
  /** A cluster-minute was counted: the meter reads it here. */
  minuteMarked?: { mode: ClusterMode };
}

/** Columns, one entry per run that entered the index, in the order of the file. */
export interface AppendedRuns {
  fileId: Id;
  fileBytes: number;
  count: number;
  topicIds: Id[];
  /** Index into topicIds. */
  topic: Uint32Array;
  partition: Uint32Array;
  position: Float64Array;
  bytes: Float64Array;
  baseOffset: Float64Array;
  records: Float64Array;
  maxTimestampMs: Float64Array;
  /** Of the run's partition, after the commit. */
  logStartOffset: Float64Array;
  /** baseOffset + records: the high watermark once this run is in. */
  highWatermark: Float64Array;
  /** Totals over the accepted batches: what the throughput chart adds up. */
  storedBytes: number;
  uncompressedBytes: number;
  totalRecords: number;
}

/** What a swap did. The replaced runs stay readable where they were until their files are deleted. */
export interface ReplacedRuns {
  fileId: Id;
  level: FileLevel;
  /** Records were left out. */
  isCompacted: boolean;
  /** When the newest of its records were committed. */
  committedAtMs: number;
  /** Of the runs that are in the new file, without its index. */
  bytes: number;
  /** Of the runs that it took the place of. */
  replacedBytes: number;
  replacedRuns: number;
  newRuns: number;
}

export interface PartitionBounds {
  topicId: Id;
  partition: number;
  logStartOffset: number;
  highWatermark: number;
}

export interface CatalogueChange {
  /** New or changed. */
  topics: TopicDescription[];
  deletedTopicIds: Id[];
  agentsChanged: boolean;
}

export interface GroupEffect {
  groupId: string;
  /** Answers for parked JoinGroup calls, under `answerTo`: the member id under which the call was parked. */
  joined: { answerTo: string; answer: JoinAnswer }[];
  /** Answers for parked SyncGroup calls. */
  synced: { answerTo: string; answer: SyncAnswer }[];
  /** When to send GroupDeadline; null: never. Replaces the deadline that was armed before. */
  deadlineMs: number | null;
  /** Start these members' session timers anew (a heartbeat does so too, through the owner alone). */
  sessions: { memberId: string; sessionTimeoutMs: number }[];
  /** Stop these members' session timers. */
  ended: string[];
}

/** The command changed the state. */
export function changed<K extends CommandKind>(answer: AnswerByKind[K], effects: Effects = {}): Outcome<K> {
  return { changed: true, answer, effects };
}

/** The command left the state as it was. */
export function unchanged<K extends CommandKind>(answer: AnswerByKind[K]): Outcome<K> {
  return { changed: false, answer, effects: {} };
}
