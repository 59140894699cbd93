// Commands about consumer groups: Kafka's classic protocol. Heartbeats are not commands: see queries/heartbeat.ts.

export interface GroupProtocol {
  name: string;
  metadata: Uint8Array;
}

export interface JoinGroup {
  kind: 'join-group';
  groupId: string;
  sessionTimeoutMs: number;
  rebalanceTimeoutMs: number;
  /** Empty: a new member. */
  memberId: string;
  /** The id that a new member gets: `<client or instance id>-<random UUID>`, made by the caller. */
  newMemberId: string;
  groupInstanceId: string | null;
  protocolType: string;
  protocols: GroupProtocol[];
  clientId: string;
  clientHost: string;
  requireKnownMemberId: boolean;
  /** How long a first join of an empty group waits for more members (group.initial.rebalance.delay.ms). */
  initialRebalanceDelayMs: number;
}
/** `waiting`: the answer comes in some later outcome's `effects.groups[].joined` under `memberId` (or in this one's). */
export type JoinGroupOutcomeAnswer = { waiting: true; memberId: string } | ({ waiting: false } & JoinAnswer);
export interface JoinAnswer {
  errorCode: number;
  generationId: number;
  protocolType: string;
  protocolName: string;
  leader: string;
  memberId: string;
  /** For the leader only. */
  members: { memberId: string; groupInstanceId: string | null; metadata: Uint8Array }[];
  skipAssignment: boolean;
}

/** The deadline of a group (see GroupEffect.deadlineMs) passed: ends the join phase, or drops members that did not sync. */
export interface GroupDeadline {
  kind: 'group-deadline';
  groupId: string;
}
export interface GroupDeadlineAnswer {
  /** False when the group has no deadline, or a later one: nothing changed. */
  fired: boolean;
}

export interface SyncGroup {
  kind: 'sync-group';
  groupId: string;
  generationId: number;
  memberId: string;
  groupInstanceId: string | null;
  /** Empty: not checked. */
  protocolType: string;
  protocolName: string;
  assignments: { memberId: string; assignment: Uint8Array }[];
}
/** `waiting`: the answer comes in some later outcome's `effects.groups[].synced` under the member's id (or in this one's). */
export type SyncGroupOutcomeAnswer = { waiting: true; memberId: string } | ({ waiting: false } & SyncAnswer);
export interface SyncAnswer {
  errorCode: number;
  protocolType: string;
  protocolName: string;
  assignment: Uint8Array;
}

export interface LeaveGroup {
  kind: 'leave-group';
  groupId: string;
  members: { memberId: string; groupInstanceId: string | null }[];
}
export interface LeaveGroupAnswer {
  errorCode: number;
  /** In the order of the request. */
  memberErrorCodes: number[];
}

/** Session timers of these members fired. Members that wait for a join or sync answer are alive and stay. */
export interface ExpireMembers {
  kind: 'expire-members';
  members: { groupId: string; memberId: string }[];
}
export interface ExpireMembersAnswer {
  /** Per member of the request: false when it is unknown, or waiting (then arm its session timer again). */
  expired: boolean[];
}

export interface CommitOffsets {
  kind: 'commit-offsets';
  groupId: string;
  /** -1: not a member. */
  generationId: number;
  memberId: string;
  groupInstanceId: string | null;
  offsets: OffsetToCommit[];
}
export interface OffsetToCommit {
  topic: string;
  partition: number;
  offset: number;
  leaderEpoch: number;
  metadata: string;
}
export interface CommitOffsetsAnswer {
  errorCode: number;
  /** In the order of the request; empty: all 0. */
  offsetErrorCodes: number[];
}

export interface DeleteOffsets {
  kind: 'delete-offsets';
  groupId: string;
  partitions: { topic: string; partition: number }[];
}
export interface DeleteOffsetsAnswer {
  errorCode: number;
  partitionErrorCodes: number[];
}

export interface DeleteGroups {
  kind: 'delete-groups';
  groupIds: string[];
}
export interface DeleteGroupsAnswer {
  errorCodes: number[];
}

/** Drops committed offsets of groups without members 7 days after they were last in use (offsets.retention.minutes). */
export interface ExpireOffsets {
  kind: 'expire-offsets';
}
export interface ExpireOffsetsAnswer {
  expiredOffsets: number;
}
