// Journal format of the commands about consumer groups.
import type {
  CommitOffsets,
  DeleteGroups,
  DeleteOffsets,
  ExpireMembers,
  ExpireOffsets,
  GroupDeadline,
  GroupProtocol,
  JoinGroup,
  LeaveGroup,
  OffsetToCommit,
  SyncGroup,
} from '../model/groups.types.ts';
import { boolean, bytes, type Field, list, nullable, record, signed, text, unsigned } from './field.ts';

type Body<C> = Field<Omit<C, 'kind'>>;

export const joinGroupCodec: Body<JoinGroup> = record({
  groupId: text,
  sessionTimeoutMs: unsigned,
  rebalanceTimeoutMs: unsigned,
  memberId: text,
  newMemberId: text,
  groupInstanceId: nullable(text),
  protocolType: text,
  protocols: list(record<GroupProtocol>({ name: text, metadata: bytes })),
  clientId: text,
  clientHost: text,
  requireKnownMemberId: boolean,
  initialRebalanceDelayMs: unsigned,
});

export const groupDeadlineCodec: Body<GroupDeadline> = record({ groupId: text });

export const syncGroupCodec: Body<SyncGroup> = record({
  groupId: text,
  generationId: signed,
  memberId: text,
  groupInstanceId: nullable(text),
  protocolType: text,
  protocolName: text,
  assignments: list(record({ memberId: text, assignment: bytes })),
});

export const leaveGroupCodec: Body<LeaveGroup> = record({
  groupId: text,
  members: list(record({ memberId: text, groupInstanceId: nullable(text) })),
});

export const expireMembersCodec: Body<ExpireMembers> = record({
  members: list(record({ groupId: text, memberId: text })),
});

export const offsetsToCommitCodec: Field<OffsetToCommit[]> = list(
  record<OffsetToCommit>({ topic: text, partition: unsigned, offset: signed, leaderEpoch: signed, metadata: text }),
);

export const commitOffsetsCodec: Body<Omit<CommitOffsets, 'knowsMemberEpochs'>> = record({
  groupId: text,
  generationId: signed,
  memberId: text,
  groupInstanceId: nullable(text),
  offsets: offsetsToCommitCodec,
});

export const deleteOffsetsCodec: Body<DeleteOffsets> = record({
  groupId: text,
  partitions: list(record({ topic: text, partition: unsigned })),
});

export const deleteGroupsCodec: Body<DeleteGroups> = record({ groupIds: list(text) });

export const expireOffsetsCodec: Body<ExpireOffsets> = record({});
