// The auditor: knows what clients were told and what a recovered cluster shows, and nothing of how the state machine works. It shares
// no code with metadata-core.
import { promise } from './audit-failure.ts';
import { GroupAuditor } from './group-auditor.ts';
import { LogAuditor, type PartitionSight } from './log-auditor.ts';

/** A cluster as recovered from the journal alone. */
export interface ClusterSight {
  partitions: PartitionSight[];
  /** Names of the topics that exist. */
  topics: string[];
  committedOffset(group: string, topicPartition: string): number;
  generations: { group: string; generation: number }[];
  /** Uncompressed bytes by the cluster's own total, and by the meters of all journal entries. */
  meteredBytes: bigint;
  journalMeteredBytes: bigint;
}

export class Auditor {
  readonly logs = new LogAuditor();
  readonly groups = new GroupAuditor();
  readonly #producerIds = new Map<number, string>();
  readonly #producerIdByRequest = new Map<string, number>();
  readonly #topics = new Set<string>();
  readonly #deletedTopics = new Set<string>();
  #inspections = 0;

  get inspections(): number {
    return this.#inspections;
  }

  topicAcknowledged(topic: string): void {
    this.#topics.add(topic);
  }

  topicDeletionAsked(topic: string): void {
    this.#topics.delete(topic);
    this.groups.topicDeletionAsked(topic);
  }

  topicDeletionAcknowledged(topic: string): void {
    this.#deletedTopics.add(topic);
  }

  producerIdGranted(requestId: string, producerId: number): void {
    const before = this.#producerIdByRequest.get(requestId) ?? producerId;
    promise(before === producerId, () => `request ${requestId} got producer id ${before}, then ${producerId}`);
    const holder = this.#producerIds.get(producerId) ?? requestId;
    promise(holder === requestId, () => `producer id ${producerId} was given to ${holder} and to ${requestId}`);
    this.#producerIdByRequest.set(requestId, producerId);
    this.#producerIds.set(producerId, requestId);
  }

  /** Holds every promise against what a recovered cluster shows. @throws AuditFailure */
  inspect(sight: ClusterSight): void {
    this.#inspections += 1;
    for (const topic of this.#topics) {
      promise(sight.topics.includes(topic), () => `topic ${topic} was acknowledged and is gone`);
    }
    for (const topic of sight.topics) {
      promise(!this.#deletedTopics.has(topic), () => `topic ${topic} was deleted and is there`);
    }
    for (const partition of sight.partitions) {
      this.logs.inspect(partition);
    }
    for (const { group, topicPartition } of this.groups.commits()) {
      this.groups.inspectOffset(group, topicPartition, sight.committedOffset(group, topicPartition));
    }
    for (const { group, generation } of sight.generations) {
      this.groups.inspectGeneration(group, generation);
    }
    const { least, most } = this.logs.meterBounds();
    promise(sight.meteredBytes >= least && sight.meteredBytes <= most, () => {
      return `${sight.meteredBytes} bytes are metered; acknowledged are ${least}, at most ${most} can be stored`;
    });
    promise(sight.journalMeteredBytes === sight.meteredBytes, () => {
      return `the journal's meters add up to ${sight.journalMeteredBytes}, the cluster's total is ${sight.meteredBytes}`;
    });
  }
}
