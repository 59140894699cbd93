// Journal format of the commands about consumer groups of the new protocol.
import type {
  AlterGroupConfigs,
  ConsumerGroupHeartbeat,
  GroupConfigOp,
  InstallTargetAssignment,
  PartitionsOfTopic,
  ResolveGroupRegexes,
} from '../model/consumer-groups.types.ts';
import { boolean, type Field, list, looseId, nullable, record, signed, text, unsigned } from './field.ts';

type Body<C> = Field<Omit<C, 'kind'>>;

const partitionsCodec: Field<PartitionsOfTopic[]> = list(record({ topicId: looseId, partitions: list(signed) }));

export const consumerGroupHeartbeatCodec: Body<ConsumerGroupHeartbeat> = record({
  groupId: text,
  memberId: text,
  newMemberId: text,
  memberEpoch: signed,
  instanceId: nullable(text),
  rackId: nullable(text),
  rebalanceTimeoutMs: signed,
  subscribedTopics: nullable(list(text)),
  subscribedRegex: nullable(text),
  serverAssignor: nullable(text),
  owned: nullable(partitionsCodec),
  apiVersion: unsigned,
  clientId: text,
  clientHost: text,
  principal: text,
});

export const installTargetAssignmentCodec: Body<InstallTargetAssignment> = record({
  groupId: text,
  epoch: unsigned,
  targets: list(record({ memberId: text, topics: partitionsCodec })),
});

export const resolveGroupRegexesCodec: Body<ResolveGroupRegexes> = record({
  groupId: text,
  regexes: list(record({ regex: text, topics: list(text) })),
});

export const groupConfigOpsCodec: Field<GroupConfigOp[]> = list(record({ name: text, value: nullable(text) }));

export const alterGroupConfigsCodec: Body<AlterGroupConfigs> = record({
  groups: list(record({ groupId: text, ops: groupConfigOpsCodec })),
  validateOnly: boolean,
});
