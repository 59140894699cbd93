// The partitions of a group with the members that read them. Pure.
import type { LiveGroup } from '../../../lib/live';

export interface GroupPartition {
  topic: string;
  partition: number;
  /** Null before the first commit. */
  committedOffset: number | null;
  /** Null without a committed offset. */
  lagRecords: number | null;
  lagSeconds: number | null;
  /** Null when nobody reads it. */
  member: LiveGroup['members'][number] | null;
}

/** By topic and partition: those with a committed offset, and those that a member is assigned. */
export function groupPartitions({ members, offsets }: Pick<LiveGroup, 'members' | 'offsets'>): GroupPartition[] {
  const keyOf = (topic: string, partition: number): string => `${partition} ${topic}`;
  const readers = new Map(
    members.flatMap((member) =>
      member.assignment.flatMap(({ topic, partitions }) =>
        partitions.map((partition) => [keyOf(topic, partition), { topic, partition, member }] as const),
      ),
    ),
  );
  const committed = offsets.map(({ topic, partition, committedOffset, lagRecords, lagSeconds }): GroupPartition => {
    const key = keyOf(topic, partition);
    const member = readers.get(key)?.member ?? null;
    readers.delete(key);
    return { topic, partition, committedOffset, lagRecords, lagSeconds, member };
  });
  const waiting = [...readers.values()].map(
    (reader): GroupPartition => ({ ...reader, committedOffset: null, lagRecords: null, lagSeconds: null }),
  );
  return [...committed, ...waiting].sort(
    (left, right) => left.topic.localeCompare(right.topic) || left.partition - right.partition,
  );
}

/** How many partitions a member reads. */
export function assignedCount({ assignment }: LiveGroup['members'][number]): number {
  return assignment.reduce((sum, { partitions }) => sum + partitions.length, 0);
}
