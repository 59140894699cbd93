// The runs that open jobs are about to replace, by partition.

import { numberAt } from '../model/checked.ts';
import { idKey } from '../model/ids.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { Partition } from '../state/partition.types.ts';
import type { MergeJob } from './job-builder.ts';

export class OpenTargets {
  readonly #state: ClusterState;
  /** Per job and partition, where the last of its target runs ends. */
  readonly #jobs = new Map<MergeJob, ReadonlyMap<Partition, number>>();
  readonly #jobCounts = new Map<Partition, number>();

  constructor(state: ClusterState) {
    this.#state = state;
  }

  enter(job: MergeJob): void {
    const ends = new Map<Partition, number>();
    const topics = job.topicIds.map((topicId) => this.#state.topics.get(idKey(topicId)));
    for (const [target, topic] of job.targetTopic.entries()) {
      const partition = topics[topic]?.partitions[numberAt(job.targetPartition, target)];
      if (partition !== undefined) {
        ends.set(partition, numberAt(job.targetEndOffset, target));
      }
    }
    this.#jobs.set(job, ends);
    for (const partition of ends.keys()) {
      this.#jobCounts.set(partition, (this.#jobCounts.get(partition) ?? 0) + 1);
    }
  }

  /** Ends a job and returns its partitions. Undefined: it is not among these. */
  leave(job: MergeJob): Partition[] | undefined {
    const ends = this.#jobs.get(job);
    if (ends === undefined) {
      return undefined;
    }
    this.#jobs.delete(job);
    for (const partition of ends.keys()) {
      const left = (this.#jobCounts.get(partition) ?? 1) - 1;
      if (left === 0) {
        this.#jobCounts.delete(partition);
      } else {
        this.#jobCounts.set(partition, left);
      }
    }
    return [...ends.keys()];
  }

  /** Whether an open job replaces runs of this partition. */
  has(partition: Partition): boolean {
    return this.#jobCounts.has(partition);
  }

  /** Whether one of these runs starts at or before this offset. */
  covers(partition: Partition, offset: number): boolean {
    if (!this.has(partition)) {
      return false;
    }
    for (const ends of this.#jobs.values()) {
      if (offset < (ends.get(partition) ?? 0)) {
        return true;
      }
    }
    return false;
  }
}
