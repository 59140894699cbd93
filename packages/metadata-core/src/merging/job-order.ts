// What a job ordered: the swaps that its agent may ask for. Kept apart from the job, which also says where the bytes lie.
import { present } from '../model/assert.ts';
import { doubleAt, numberAt, wordAt } from '../model/checked.ts';
import type { ReplaceRuns } from '../model/data.types.ts';
import { type Id, idKey } from '../model/ids.ts';
import type { MergeJob } from './job-builder.ts';

/** Columns, as in MergeJob. */
export interface JobOrder {
  /** The level of the new file. */
  level: number;
  isCompaction: boolean;
  sourceFileIds: Id[];
  topicIds: Id[];
  targetTopic: number[];
  targetPartition: number[];
  targetBaseOffset: number[];
  targetEndOffset: number[];
  /** Bytes of the target's source runs, with the control batches of its markers. */
  targetSourceBytes: number[];
}

export function orderOf(job: MergeJob): JobOrder {
  let run = 0;
  const targetSourceBytes = job.targetRuns.map((count) => {
    let bytes = 0;
    for (const end = run + count; run < end; run += 1) {
      bytes += numberAt(job.runBytes, run);
    }
    return bytes;
  });
  const { level, compaction, sourceFileIds, topicIds } = job;
  const { targetTopic, targetPartition, targetBaseOffset, targetEndOffset } = job;
  return {
    level,
    isCompaction: compaction !== null,
    sourceFileIds,
    topicIds,
    targetTopic,
    targetPartition,
    targetBaseOffset,
    targetEndOffset,
    targetSourceBytes,
  };
}

/**
 * How a swap exceeds the order. Null when it doesn't. It may name fewer sources and targets, since a compaction is completed file by file,
 * and the targets of a compaction may end earlier. Whether the index still holds what was ordered is decided when the swap is applied.
 */
export function orderProblem(order: JobOrder, swap: ReplaceRuns): string | null {
  const { level, sourceFileIds, topicIds, targetTopic, targetPartition, targetBaseOffset, targetEndOffset } = swap;
  if (level !== order.level || (swap.compaction !== null) !== order.isCompaction) {
    return `the job makes a ${kindOf(order.level, order.isCompaction)}, not a ${kindOf(level, swap.compaction !== null)}`;
  }
  const sources = new Set(order.sourceFileIds.map(idKey));
  if (sourceFileIds.some((fileId) => !sources.has(idKey(fileId)))) {
    return 'source_file_ids names a file that is not a source of the job';
  }
  const ordered = new Map(order.targetTopic.map((_, target) => [targetKey(order, target), target]));
  const sourceBytes = swap.compaction?.targetSourceBytes ?? swap.targetBytes;
  for (let target = 0; target < targetTopic.length; target += 1) {
    const run = ordered.get(targetKey(swap, target));
    const name = `target ${target}, from offset ${targetBaseOffset[target]} of partition ${targetPartition[target]} of topic ${idText(topicIds[wordAt(targetTopic, target)])},`;
    if (run === undefined) {
      return `${name} is not a target of the job`;
    }
    const [end, orderedEnd] = [doubleAt(targetEndOffset, target), numberAt(order.targetEndOffset, run)];
    if (end > orderedEnd || (end < orderedEnd && !order.isCompaction)) {
      return `${name} ends at offset ${end}, but the job said ${orderedEnd}`;
    }
    const [bytes, orderedBytes] = [doubleAt(sourceBytes, target), numberAt(order.targetSourceBytes, run)];
    if (bytes > orderedBytes || (bytes < orderedBytes && end === orderedEnd)) {
      return `${name} has ${bytes} bytes of sources, but the job said ${orderedBytes}`;
    }
  }
  return null;
}

type Targets = Pick<JobOrder | ReplaceRuns, 'topicIds' | 'targetTopic' | 'targetPartition' | 'targetBaseOffset'>;

function targetKey({ topicIds, targetTopic, targetPartition, targetBaseOffset }: Targets, target: number): string {
  return `${idText(topicIds[present(targetTopic[target], 'target')])}/${targetPartition[target]}/${targetBaseOffset[target]}`;
}

function idText(topicId: Id | undefined): string {
  return topicId === undefined ? 'unknown' : idKey(topicId);
}

function kindOf(level: number, isCompaction: boolean): string {
  return isCompaction ? 'compacted file' : `merged file of level ${level}`;
}
