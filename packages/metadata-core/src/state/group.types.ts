// A consumer group as data: of the classic protocol, or of the consumer protocol (KIP-848).
import type { GroupProtocol } from '../model/groups.types.ts';
import type { IdKey } from '../model/ids.ts';

/** A group without members and offsets is removed instead of staying in state Dead. */
export type GroupState = 'Empty' | 'PreparingRebalance' | 'CompletingRebalance' | 'Stable';

export interface Member {
  memberId: string;
  groupInstanceId: string | null;
  clientId: string;
  clientHost: string;
  sessionTimeoutMs: number;
  rebalanceTimeoutMs: number;
  protocols: GroupProtocol[];
  assignment: Uint8Array;
  /** A JoinGroup call of the member waits for the join phase to end. */
  awaitingJoin: boolean;
  /** A SyncGroup call of the member waits for the leader's assignment. */
  awaitingSync: boolean;
  /** The member has called SyncGroup in this generation. */
  hasSynced: boolean;
}

/** Immutable: a commit replaces it. */
export interface StoredOffset {
  readonly offset: number;
  readonly leaderEpoch: number;
  readonly metadata: string;
  readonly committedAtMs: number;
}

export interface Group {
  groupId: string;
  state: GroupState;
  generation: number;
  /** Null while no member has set it. */
  protocolType: string | null;
  /** Chosen in the last completed join phase. */
  protocolName: string | null;
  leaderId: string | null;
  /** In the order of joining. */
  members: Map<string, Member>;
  /** Ids that were assigned with MEMBER_ID_REQUIRED and not used yet, with their session timeouts in ms. */
  pendingMembers: Map<string, number>;
  /** group.instance.id -> member id. */
  staticMembers: Map<string, string>;
  /**
   * When the join phase (PreparingRebalance) or the wait for syncs (CompletingRebalance) ends, or the first member of the consumer protocol
   * must have given up partitions; null: no deadline.
   */
  deadlineMs: number | null;
  /**
   * While an empty group waits for its first members: when the wait must end at the latest, how long each extension is, and whether a
   * member has joined since the last one. Null otherwise.
   */
  gathering: { untilMs: number; delayMs: number; joinedSince: boolean } | null;
  /** When it last became Empty; offsets age from here. */
  emptySinceMs: number;
  /**
   * Null: a group of the classic protocol. Otherwise everything about members is here, and what belongs to the classic protocol above is
   * empty, but `state` still says whether there are members: Empty or Stable.
   */
  consumer: ConsumerProtocol | null;
  /** topic name -> partition -> offset. */
  offsets: Map<string, Map<number, StoredOffset>>;

  // What follows is derived from the above, and not persisted.

  /** Until it changes, none of it expires before this time. A bound that saves a search. */
  expiresFromMs: number;
  /** Size of its classic members, including pending ones. */
  memberBytes: number;
  /** The size of its offsets. */
  offsetBytes: number;
  /** Its share of the cluster's account. */
  counted: GroupSize;
}

/** The bytes of a group that are on the cluster's account. */
export interface GroupSize {
  /** Its members, and the group itself. */
  readonly members: number;
  readonly offsets: number;
}

/** Topic -> partitions in ascending order; no topic is without partitions. */
export type TopicPartitions = ReadonlyMap<IdKey, readonly number[]>;

/** Topic -> partition -> the assignment epoch at which the member got it. */
export type OwnedPartitions = ReadonlyMap<IdKey, ReadonlyMap<number, number>>;

/**
 * `unrevoked-partitions`: the member must give up partitions and has not confirmed it yet. `unreleased-partitions`: others still hold
 * partitions of its target.
 */
export type ReconciliationState = 'stable' | 'unrevoked-partitions' | 'unreleased-partitions';

/** Additional state of a member that uses the classic protocol. */
export interface ClassicMembership {
  readonly sessionTimeoutMs: number;
  readonly protocols: readonly GroupProtocol[];
  /** Until when it must join or sync; null: nothing is expected. */
  readonly deadlineMs: number | null;
}

export interface ConsumerMember {
  readonly memberId: string;
  readonly instanceId: string | null;
  readonly rackId: string | null;
  readonly clientId: string;
  readonly clientHost: string;
  /** Whose ACLs decide which topics the regular expression finds. */
  readonly principal: string;
  readonly rebalanceTimeoutMs: number;
  /** The topics, sorted by name. */
  readonly subscribedTopics: readonly string[];
  /** The expression; null if none. */
  readonly subscribedRegex: string | null;
  readonly assignor: string | null;
  readonly epoch: number;
  readonly previousEpoch: number;
  readonly state: ReconciliationState;
  readonly assigned: OwnedPartitions;
  readonly revoking: OwnedPartitions;
  /** Until when it must confirm that it gave up `revoking`; null: nothing is expected. */
  readonly revocationDeadlineMs: number | null;
  /** Null: the member uses the consumer protocol. */
  readonly classic: ClassicMembership | null;
}

/** The topics that a regular expression finds, sorted. */
export interface ResolvedRegex {
  readonly topics: readonly string[];
}

export interface ConsumerProtocol {
  /** Rises whenever the assignment must be computed anew. */
  epoch: number;
  /** The group epoch for which the target assignment was computed. */
  assignmentEpoch: number;
  /** The time; 0 for never. */
  assignedAtMs: number;
  /** In the order of joining. */
  readonly members: Map<string, ConsumerMember>;
  /** By member id. Two members never have the same partition. */
  readonly target: Map<string, TopicPartitions>;
  /** The subscribed topics that exist, with their numbers of partitions, as of the group epoch. */
  topics: ReadonlyMap<IdKey, number>;
  /** By regular expression: those that are resolved and that a member uses. */
  readonly regexes: Map<string, ResolvedRegex>;

  // What follows is derived from the above, and not persisted.

  /** instance id -> member id. */
  readonly staticMembers: Map<string, string>;
  /** Topic -> partition -> the member that has it assigned, or has not confirmed that it gave it up. */
  readonly owners: Map<IdKey, Map<number, string>>;
  /** Topic name -> how many members name it. */
  readonly subscribers: Map<string, number>;
  /** Regular expression -> how many members use it. */
  readonly regexSubscribers: Map<string, number>;
  /** Size of its members, their targets, and the matches of their regular expressions. */
  memberBytes: number;
  /** The version of the cluster's topics with which `topics` was last compared; -1: none. A bound that saves a search. */
  checkedTopicsVersion: number;
}
