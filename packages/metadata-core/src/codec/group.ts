// Snapshot format of a consumer group.
import type { GroupProtocol } from '../commands/groups.types.ts';
import type { Group, Member, StoredOffset } from '../state/group.ts';
import { boolean, bytes, type Field, list, map, nullable, oneOf, record, signed, text, unsigned } from './field.ts';

const memberCodec: Field<Member> = record({
  memberId: text,
  groupInstanceId: nullable(text),
  clientId: text,
  clientHost: text,
  sessionTimeoutMs: unsigned,
  rebalanceTimeoutMs: unsigned,
  protocols: list(record<GroupProtocol>({ name: text, metadata: bytes })),
  assignment: bytes,
  awaitingJoin: boolean,
  awaitingSync: boolean,
  hasSynced: boolean,
});

const storedOffsetCodec: Field<StoredOffset> = record({
  offset: unsigned,
  leaderEpoch: signed,
  metadata: text,
  committedAtMs: unsigned,
});

export const groupCodec: Field<Group> = record({
  groupId: text,
  state: oneOf(['Empty', 'PreparingRebalance', 'CompletingRebalance', 'Stable']),
  generation: unsigned,
  protocolType: nullable(text),
  protocolName: nullable(text),
  leaderId: nullable(text),
  members: map(text, memberCodec),
  pendingMembers: map(text, unsigned),
  staticMembers: map(text, text),
  deadlineMs: nullable(unsigned),
  gathering: nullable(record({ untilMs: unsigned, delayMs: unsigned, joinedSince: boolean })),
  emptySinceMs: unsigned,
  offsets: map(text, map(unsigned, storedOffsetCodec)),
});
