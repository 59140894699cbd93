// What assignors work on, and how they divide their work into steps.
import type { IdKey } from '../../model/ids.ts';
import type { TopicPartitions } from '../../state/group.types.ts';

export interface AssignmentMember {
  readonly memberId: string;
  readonly instanceId: string | null;
  /** The topics that it subscribes to and that exist, in ascending order. The same array for members with the same subscription. */
  readonly topics: readonly IdKey[];
  /** Its target so far. */
  readonly current: TopicPartitions;
}

export interface AssignmentInput {
  /** In the order of joining. */
  readonly members: readonly AssignmentMember[];
  /** Partitions of each subscribed topic. */
  readonly topics: ReadonlyMap<IdKey, number>;
}

/** The targets in the order of the members. */
export type Assignment = Map<IdKey, number[]>[];
export type AssignmentSteps = Generator<void, Assignment>;

/** How many partitions or subscriptions a step visits: less than a millisecond. */
const WORK_PER_STEP = 5_000;

/** Counts work, and tells when a step is over. */
export class WorkMeter {
  #left = WORK_PER_STEP;

  /** Returns true to yield now. */
  spend(work: number): boolean {
    this.#left -= work;
    if (this.#left > 0) {
      return false;
    }
    this.#left = WORK_PER_STEP;
    return true;
  }
}
