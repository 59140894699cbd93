// What the running accounts of a state must be, counted by visiting everything.

import { equal } from '../conditions/compare.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { Group } from '../state/group.types.ts';
import {
  consumerMemberBytes,
  foundTopicsBytes,
  groupSize,
  memberBytes,
  offsetBytes,
  pendingMemberBytes,
  targetBytes,
} from '../state/group-bytes.ts';
import type { Partition } from '../state/partition.types.ts';
import { PRODUCER_TABLE_BYTES, RUN_INDEX_BYTES } from '../state/partition-memory.ts';

/** The sizes of all groups, counted again. */
export interface GroupSums {
  members: number;
  offsets: number;
}

/** Adds a group to the sums, and compares the counts that it keeps itself. */
export function addGroup(sums: GroupSums, group: Group): void {
  const again = counted(group);
  equal(group.memberBytes, again.memberBytes, 'the bytes of classic members are what they add up to');
  equal(group.offsetBytes, again.offsetBytes, 'the bytes of offsets are what they add up to');
  equal(
    group.consumer?.memberBytes,
    again.consumer?.memberBytes,
    'the bytes of members of the new protocol are what they add up to',
  );
  const size = groupSize(again);
  sums.members += size.members;
  sums.offsets += size.offsets;
}

/** The sizes of what partitions hold, counted again. */
export interface PartitionSums {
  partitions: number;
  runBytes: number;
  producerBytes: number;
  producers: number;
  aborted: number;
}

export function addPartition(sums: PartitionSums, { runs, producers, transactions }: Partition): void {
  sums.partitions += 1;
  sums.runBytes += runs === null ? 0 : RUN_INDEX_BYTES + runs.memoryBytes;
  sums.producerBytes += producers === null ? 0 : PRODUCER_TABLE_BYTES + producers.memoryBytes;
  sums.producers += producers?.size ?? 0;
  sums.aborted += transactions?.aborted.length ?? 0;
}

export function requirePartitionSums(state: ClusterState, sums: PartitionSums): void {
  const { partitionMemory, transactions } = state;
  equal(state.partitionCount, sums.partitions, 'partitions are counted');
  equal(partitionMemory.runs, sums.runBytes, 'the bytes of run indexes are what they add up to');
  equal(partitionMemory.producers, sums.producerBytes, 'the bytes of producer tables are what they add up to');
  equal(partitionMemory.producerCount, sums.producers, 'the producers of partitions are counted');
  equal(transactions.counts.aborted, sums.aborted, 'aborted transactions are counted');
}

export function requireGroupSums(state: ClusterState, sums: GroupSums): void {
  equal(state.groupMemory.members, sums.members, 'the account of groups is what they add up to');
  equal(state.groupMemory.offsets, sums.offsets, 'the account of offsets is what they add up to');
}

/** The group with its derived counts computed again. */
export function counted(group: Group): Group {
  let members = 0;
  for (const member of group.members.values()) {
    members += memberBytes(member);
  }
  for (const memberId of group.pendingMembers.keys()) {
    members += pendingMemberBytes(memberId);
  }
  let offsets = 0;
  for (const partitions of group.offsets.values()) {
    for (const offset of partitions.values()) {
      offsets += offsetBytes(offset);
    }
  }
  const { consumer } = group;
  if (consumer === null) {
    return { ...group, memberBytes: members, offsetBytes: offsets };
  }
  let ofConsumer = 0;
  for (const member of consumer.members.values()) {
    ofConsumer += consumerMemberBytes(member) + targetBytes(consumer.target.get(member.memberId));
  }
  for (const { topics } of consumer.regexes.values()) {
    ofConsumer += foundTopicsBytes(topics);
  }
  return { ...group, consumer: { ...consumer, memberBytes: ofConsumer }, memberBytes: members, offsetBytes: offsets };
}
