// Compaction as an agent does it, with batches instead of records: all records of a batch have its key.
import type { Placed } from '../auditor/log-auditor.ts';
import type { Response } from '../metadata/metadata-process.ts';

/** A batch without records. */
const EMPTY_BATCH_BYTES = 61;

type Job = NonNullable<Response<'takeJob'>['job']>;

/** The targets with only the latest batch of each key. Each of the others becomes a batch that only spans its offsets. */
export function compactTargets(job: Job, targets: readonly (readonly Placed[])[]): Placed[][] {
  const placeOf = (target: number): string => `${job.targetTopic[target]}-${job.targetPartition[target]}`;
  const latest = new Map<string, number>();
  for (const [target, batches] of targets.entries()) {
    let offset = Number(job.targetBaseOffset[target]);
    for (const { payload, records } of batches) {
      if (payload !== null && offset >= Number(job.targetFirstDirtyOffset[target])) {
        latest.set(`${placeOf(target)} ${payload.key}`, offset);
      }
      offset += records;
    }
  }
  return targets.map((batches, target) => {
    const kept: Placed[] = [];
    let offset = Number(job.targetBaseOffset[target]);
    for (const batch of batches) {
      const { payload, records } = batch;
      const isKept = payload !== null && (latest.get(`${placeOf(target)} ${payload.key}`) ?? -1) <= offset;
      const last = kept.at(-1);
      if (isKept) {
        kept.push(batch);
      } else if (last?.payload === null) {
        last.records += records;
      } else {
        kept.push({ payload: null, records, bytes: EMPTY_BATCH_BYTES, position: 0 });
      }
      offset += records;
    }
    return kept;
  });
}
