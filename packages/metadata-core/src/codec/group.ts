// Snapshot format of a consumer group: its head, then each member, then the offsets of each topic in batches. The codecs below are those of
// the classic protocol.

import type { ByteReader } from '../bytes/byte-reader.ts';
import type { ByteWriter } from '../bytes/byte-writer.ts';
import { doubleAt } from '../model/checked.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import type { GroupProtocol } from '../model/groups.types.ts';
import { type GroupHead, groupOf, setMember, setOffset, setPendingMember } from '../state/group.ts';
import type { ConsumerProtocol, Group, Member, StoredOffset } from '../state/group.types.ts';
import { BATCH_ROWS, Batch, readBatch } from './columns.ts';
import { readConsumerHead, readConsumerMember, writeConsumerHead, writeConsumerMember } from './consumer-group.ts';
import { boolean, bytes, type Field, list, map, nullable, oneOf, record, text, unsigned } from './field.ts';
import type { Item } from './section.ts';

const groupStateCodec = oneOf(['Empty', 'PreparingRebalance', 'CompletingRebalance', 'Stable']);

const gatheringCodec: Field<Group['gathering']> = nullable(
  record({ untilMs: unsigned, delayMs: unsigned, joinedSince: boolean }),
);

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

const headCodec: Field<GroupHead & Pick<Group, 'pendingMembers'>> = record({
  groupId: text,
  state: groupStateCodec,
  generation: unsigned,
  protocolType: nullable(text),
  protocolName: nullable(text),
  leaderId: nullable(text),
  pendingMembers: map(text, unsigned),
  staticMembers: map(text, text),
  deadlineMs: nullable(unsigned),
  gathering: gatheringCodec,
  emptySinceMs: unsigned,
});

function restored(head: GroupHead, pendingMembers: Group['pendingMembers']): Group {
  const group = groupOf(head);
  for (const [memberId, sessionTimeoutMs] of pendingMembers) {
    setPendingMember(group, memberId, sessionTimeoutMs);
  }
  return group;
}

/** The first byte of an item. Members and offsets belong to the head before them. */
const HEAD = 1;
const MEMBER = 2;
const OFFSETS = 3;
const CONSUMER = 4;
const CONSUMER_MEMBER = 5;

const OFFSET_COLUMNS = ['partition', 'offset', 'leaderEpoch', 'committedAtMs'] as const;
const metadataCodec = list(text);

export function* groupItems(groups: Iterable<Group>): Iterable<Item> {
  for (const group of groups) {
    yield* itemsOf(group);
  }
}

function* itemsOf(group: Group): Iterable<Item> {
  yield (to) => {
    to.byte(HEAD);
    headCodec.write(to, group);
  };
  for (const member of group.members.values()) {
    yield (to) => {
      to.byte(MEMBER);
      memberCodec.write(to, member);
    };
  }
  if (group.consumer !== null) {
    yield* consumerItemsOf(group.consumer);
  }
  for (const [topic, partitions] of group.offsets) {
    const offsets = [...partitions];
    for (let at = 0; at < offsets.length; at += BATCH_ROWS) {
      yield (to) => writeOffsets(to, topic, offsets.slice(at, at + BATCH_ROWS));
    }
  }
}

function* consumerItemsOf(consumer: ConsumerProtocol): Iterable<Item> {
  const head = writeConsumerHead(consumer);
  yield (to) => {
    to.byte(CONSUMER);
    head(to);
  };
  for (const member of consumer.members.values()) {
    const write = writeConsumerMember(consumer, member);
    yield (to) => {
      to.byte(CONSUMER_MEMBER);
      write(to);
    };
  }
}

function writeOffsets(to: ByteWriter, topic: string, offsets: readonly (readonly [number, StoredOffset])[]): void {
  to.byte(OFFSETS);
  to.text(topic);
  const batch = new Batch(OFFSET_COLUMNS, offsets.length);
  for (const [partition, { offset, leaderEpoch, committedAtMs }] of offsets) {
    batch.add({ partition, offset, leaderEpoch, committedAtMs });
  }
  batch.flush(to);
  const isPlain = offsets.every(([, { metadata }]) => metadata === '');
  metadataCodec.write(to, isPlain ? [] : offsets.map(([, { metadata }]) => metadata));
}

/** Reads one item: a new group, or more of `current`. Returns the group that it belongs to. */
export function readGroupItem(from: ByteReader, current: Group | null): Group {
  const kind = from.byte();
  if (kind === HEAD) {
    const { pendingMembers, ...head } = headCodec.read(from);
    return restored(head, pendingMembers);
  }
  if (current === null) {
    throw new CorruptDataError('a group does not begin with its head');
  }
  readPart(from, kind, current);
  return current;
}

function readPart(from: ByteReader, kind: number, group: Group): void {
  if (kind === MEMBER) {
    setMember(group, memberCodec.read(from));
  } else if (kind === OFFSETS) {
    readOffsets(from, group);
  } else if (kind === CONSUMER) {
    group.consumer = readConsumerHead(from);
  } else if (kind === CONSUMER_MEMBER && group.consumer !== null) {
    readConsumerMember(from, group.consumer);
  } else {
    throw new CorruptDataError(`no part of a group has the kind ${kind}`);
  }
}

function readOffsets(from: ByteReader, group: Group): void {
  const topic = from.text();
  const { rows, columns } = readBatch(from, OFFSET_COLUMNS);
  const metadata = metadataCodec.read(from);
  for (let row = 0; row < rows; row += 1) {
    setOffset(group, topic, doubleAt(columns.partition, row), {
      offset: doubleAt(columns.offset, row),
      leaderEpoch: doubleAt(columns.leaderEpoch, row),
      // The list is empty when no offset has metadata.
      metadata: metadata[row] ?? '',
      committedAtMs: doubleAt(columns.committedAtMs, row),
    });
  }
}
