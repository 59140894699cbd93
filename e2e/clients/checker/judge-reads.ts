// Checks the reads of a partition against the evidence.
import type { Anomaly } from './anomaly.ts';
import type { OutOfRangeEvent, ReadEvent } from './history.ts';
import { furthestStart, type Partition } from './judge-evidence.ts';

export interface Readings {
  reads: readonly ReadEvent[];
  outOfRange: readonly OutOfRangeEvent[];
}

/**
 * Every read of an offset returns the same record, with the bytes, key and timestamp that were sent. Each reader gets each offset once, in
 * order.
 * @param hasHoles whether the partition is compacted; otherwise a gap must be explained by a deletion
 * @param next the next offset of each reader by name, 0 when absent. Updated
 */
export function judgeReads(
  partition: Partition,
  { reads, outOfRange }: Readings,
  hasHoles: boolean,
  next = new Map<string, number>(),
): Anomaly[] {
  const anomalies: Anomaly[] = [];
  for (const read of reads) {
    anomalies.push(...inconsistencies(partition, read));
    const { client, offset, at_ms: atMs } = read;
    const expected = next.get(client) ?? 0;
    if (offset < expected) {
      const detail = `${client} read ${partition.name} ${offset} after ${expected - 1}`;
      anomalies.push({ kind: 'not-monotonic', detail });
    } else if (!hasHoles && offset > expected && offset > furthestStart(partition, atMs)) {
      const detail = `${client} went from ${partition.name} ${expected} to ${offset}`;
      anomalies.push({ kind: 'skipped', detail });
    }
    next.set(client, offset + 1);
  }
  for (const { client, offset, at_ms: atMs } of outOfRange) {
    if (offset >= furthestStart(partition, atMs)) {
      anomalies.push({ kind: 'out-of-range', detail: `${client} at ${partition.name} ${offset}` });
    }
  }
  return anomalies;
}

function inconsistencies(partition: Partition, read: ReadEvent): Anomaly[] {
  const anomalies: Anomaly[] = [];
  const where = `${read.client} at ${partition.name} ${read.offset}`;
  const first = partition.records.get(read.offset);
  if (first !== undefined && first.id !== read.id) {
    anomalies.push({ kind: 'readers-differ', detail: `${where}: ${read.id}, ${first.client} read ${first.id}` });
  }
  const send = partition.sent.get(read.id);
  if (send === undefined) {
    anomalies.push({ kind: 'forged', detail: `${where}: ${read.id} was never sent there` });
  } else if (read.isDamaged === true || read.timestamp_ms !== send.timestamp_ms || read.key !== send.key) {
    anomalies.push({ kind: 'forged', detail: `${where}: ${read.id} has another value, key or time than was sent` });
  }
  return anomalies;
}
