// A consumer group: the state of its protocol, classic or consumer (KIP-848), and its committed offsets.
import type { GroupProtocol } from '../commands/groups.types.ts';
import { type ConsumerProtocol, copyConsumerProtocol } from './consumer-group.ts';

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
  /** Until it changes, none of it expires before this time. A bound that saves a search; not persisted. */
  expiresFromMs: number;
}

/** A copy of the group, independent of later changes. */
export function copyGroup(group: Group): Group {
  return {
    ...group,
    members: new Map([...group.members].map(([memberId, member]) => [memberId, { ...member }])),
    pendingMembers: new Map(group.pendingMembers),
    staticMembers: new Map(group.staticMembers),
    gathering: group.gathering === null ? null : { ...group.gathering },
    consumer: group.consumer === null ? null : copyConsumerProtocol(group.consumer),
    offsets: new Map([...group.offsets].map(([topic, partitions]) => [topic, new Map(partitions)])),
  };
}

export function createGroup(groupId: string, nowMs: number): Group {
  return {
    groupId,
    state: 'Empty',
    generation: 0,
    protocolType: null,
    protocolName: null,
    leaderId: null,
    members: new Map(),
    pendingMembers: new Map(),
    staticMembers: new Map(),
    deadlineMs: null,
    gathering: null,
    emptySinceMs: nowMs,
    consumer: null,
    offsets: new Map(),
    expiresFromMs: 0,
  };
}
