// Snapshot format of what the new consumer protocol adds to a group, and of the configs of groups. Written only where there is any.

import type { ByteReader } from '../bytes/byte-reader.ts';
import type { GroupProtocol } from '../model/groups.types.ts';
import type { IdKey } from '../model/ids.ts';
import {
  createConsumerProtocol,
  placeConsumerMember,
  RECONCILIATION_STATES,
  setRegex,
  setTarget,
} from '../state/consumer-group.ts';
import type {
  ClassicMembership,
  ConsumerMember,
  ConsumerProtocol,
  OwnedPartitions,
  ResolvedRegex,
  TopicPartitions,
} from '../state/group.types.ts';
import type { GroupConfigs } from '../state/group-configs.ts';
import { bytes, type Field, idKeyCodec, list, map, nullable, oneOf, record, signed, text, unsigned } from './field.ts';
import type { Item } from './section.ts';

type Head = Pick<ConsumerProtocol, 'epoch' | 'assignmentEpoch' | 'assignedAtMs' | 'topics' | 'regexes'>;

const headCodec: Field<Head> = record({
  epoch: unsigned,
  assignmentEpoch: unsigned,
  assignedAtMs: unsigned,
  topics: map(idKeyCodec, unsigned) as Field<ReadonlyMap<IdKey, number>>,
  regexes: map(text, record<ResolvedRegex>({ topics: list(text) as Field<readonly string[]> })),
});

const ownedCodec = map(idKeyCodec, map(unsigned, unsigned)) as Field<OwnedPartitions>;

const classicCodec: Field<ClassicMembership> = record({
  sessionTimeoutMs: unsigned,
  protocols: list(record<GroupProtocol>({ name: text, metadata: bytes })) as Field<readonly GroupProtocol[]>,
  deadlineMs: nullable(unsigned),
});

const memberCodec: Field<ConsumerMember> = record({
  memberId: text,
  instanceId: nullable(text),
  rackId: nullable(text),
  clientId: text,
  clientHost: text,
  principal: text,
  rebalanceTimeoutMs: unsigned,
  subscribedTopics: list(text) as Field<readonly string[]>,
  subscribedRegex: nullable(text),
  assignor: nullable(text),
  epoch: signed,
  previousEpoch: signed,
  state: oneOf(RECONCILIATION_STATES),
  assigned: ownedCodec,
  revoking: ownedCodec,
  revocationDeadlineMs: nullable(unsigned),
  classic: nullable(classicCodec),
});

const targetCodec = map(idKeyCodec, list(unsigned)) as Field<TopicPartitions>;

export function writeConsumerHead(consumer: ConsumerProtocol): Item {
  return (to) => headCodec.write(to, consumer);
}

export function readConsumerHead(from: ByteReader): ConsumerProtocol {
  const { regexes, ...head } = headCodec.read(from);
  const consumer = { ...createConsumerProtocol(head.epoch), ...head };
  for (const [regex, resolved] of regexes) {
    setRegex(consumer, regex, resolved);
  }
  return consumer;
}

/** A member and its target. */
export function writeConsumerMember(consumer: ConsumerProtocol, member: ConsumerMember): Item {
  return (to) => {
    memberCodec.write(to, member);
    targetCodec.write(to, consumer.target.get(member.memberId) ?? new Map());
  };
}

export function readConsumerMember(from: ByteReader, consumer: ConsumerProtocol): void {
  const member = memberCodec.read(from);
  placeConsumerMember(consumer, member);
  setTarget(consumer, member.memberId, targetCodec.read(from));
}

const configsCodec = record<{ groupId: string; configs: ReadonlyMap<string, string> }>({
  groupId: text,
  configs: map(text, text) as Field<ReadonlyMap<string, string>>,
});

export function* groupConfigItems(
  configs: readonly (readonly [string, ReadonlyMap<string, string>])[],
): Iterable<Item> {
  for (const [groupId, set] of configs) {
    yield (to) => configsCodec.write(to, { groupId, configs: set });
  }
}

export function readGroupConfigs(from: ByteReader, configs: GroupConfigs): void {
  const { groupId, configs: set } = configsCodec.read(from);
  configs.set(groupId, set);
}
