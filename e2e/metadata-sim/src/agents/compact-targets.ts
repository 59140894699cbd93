// Compaction as an agent does it, with batches instead of records: all records of a batch have its key.
import type { Placed } from '../auditor/log-auditor.ts';
import type { Response } from '../metadata/metadata-process.ts';

/** A batch without records. */
const EMPTY_BATCH_BYTES = 61;

type Job = NonNullable<Response<'takeJob'>['job']>;

/** A partition of a job, with what its cleaning has met so far. */
class Partition {
  readonly #aborted: { producerId: number; first: number; last: number }[] = [];
  readonly #latest = new Map<string, number>();
  /** Producers of transactions with batches since their last end. */
  readonly #withBatches = new Set<number>();
  endOffset = 0;

  isAborted({ producerId }: Placed, offset: number): boolean {
    return this.#aborted.some((one) => one.producerId === producerId && one.first <= offset && offset <= one.last);
  }

  abort(producerId: number, first: number, last: number): void {
    this.#aborted.push({ producerId, first, last });
  }

  /** Notes a key of the dirty part. */
  note(batch: Placed, offset: number): void {
    if (batch.payload !== null && !this.isAborted(batch, offset)) {
      this.#latest.set(batch.payload.key, offset);
    }
  }

  keepsRecords(batch: Placed, offset: number): boolean {
    if (batch.producerId !== undefined) {
      this.#withBatches.add(batch.producerId);
    }
    const { payload } = batch;
    return payload !== null && !this.isAborted(batch, offset) && (this.#latest.get(payload.key) ?? -1) <= offset;
  }

  /** The end of a transaction as it is written. Null: it goes. */
  keepEnd(batch: Placed, offset: number, nowMs: number, retentionMs: number): Placed | null {
    const hadBatches = this.#withBatches.delete(batch.marker?.producerId ?? -1);
    if (hadBatches || offset === this.endOffset - 1) {
      return batch;
    }
    const { deleteHorizonMs = nowMs + retentionMs } = batch;
    return batch.deleteHorizonMs !== undefined && nowMs >= deleteHorizonMs ? null : { ...batch, deleteHorizonMs };
  }
}

/**
 * The targets with only the latest batch of each key, and none of aborted transactions. Each of the others becomes a batch that only spans
 * its offsets.
 */
export function compactTargets(job: Job, targets: readonly (readonly Placed[])[]): Placed[][] {
  const partitions = partitionsOf(job);
  for (const [target, batches] of targets.entries()) {
    for (const { batch, offset } of placesOf(job, target, batches)) {
      if (offset >= Number(job.targetFirstDirtyOffset[target])) {
        partitions[target]?.note(batch, offset);
      }
    }
  }
  return targets.map((batches, target) => {
    const kept: Placed[] = [];
    const retentionMs = Number(job.topicDeleteRetentionMs[job.targetTopic[target] ?? 0] ?? 0n);
    for (const { batch, offset } of placesOf(job, target, batches)) {
      const last = kept.at(-1);
      const left = leftOf(partitions[target], batch, offset, Number(job.nowMs), retentionMs);
      if (left !== null) {
        kept.push(left);
      } else if (last?.payload === null && last.marker === undefined) {
        last.records += batch.records;
      } else {
        kept.push({ payload: null, records: batch.records, bytes: EMPTY_BATCH_BYTES, position: 0 });
      }
    }
    return kept;
  });
}

function leftOf(
  partition: Partition | undefined,
  batch: Placed,
  offset: number,
  nowMs: number,
  retentionMs: number,
): Placed | null {
  if (partition === undefined) {
    return batch;
  }
  if (batch.marker !== undefined) {
    return partition.keepEnd(batch, offset, nowMs, retentionMs);
  }
  if (!partition.keepsRecords(batch, offset)) {
    return null;
  }
  // An agent joins most batches with others, which makes them batches by no producer, and copies some as they are.
  const { producerId: _, ...plain } = batch;
  return batch.bytes % 2 === 0 ? batch : plain;
}

/** Returns the partition of each target. */
function partitionsOf(job: Job): Partition[] {
  const byPlace = new Map<string, Partition>();
  const partitions = job.targetTopic.map((topic, target) => {
    const place = `${topic}-${job.targetPartition[target]}`;
    const partition = byPlace.get(place) ?? new Partition();
    byPlace.set(place, partition);
    partition.endOffset = Number(job.targetEndOffset[target]);
    return partition;
  });
  for (const { target, transaction } of job.aborted) {
    if (transaction !== undefined) {
      const { producerId, firstOffset, lastOffset } = transaction;
      partitions[target]?.abort(Number(producerId), Number(firstOffset), Number(lastOffset));
    }
  }
  return partitions;
}

function placesOf(job: Job, target: number, batches: readonly Placed[]): { batch: Placed; offset: number }[] {
  let next = Number(job.targetBaseOffset[target]);
  return batches.map((batch) => {
    const offset = next;
    next += batch.records;
    return { batch, offset };
  });
}
