// The auditor: it knows what clients were sent and what they find, and nothing about how the service works. It shares
// no code with the service.
import { AccessAuditor } from './access-auditor.ts';
import { mustHold } from './audit-failure.ts';
import { GroupAuditor } from './group-auditor.ts';
import { LogAuditor } from './log-auditor.ts';
import { OwnershipAuditor } from './ownership-auditor.ts';
import { TransactionAuditor } from './transaction-auditor.ts';

export class Auditor {
  readonly logs = new LogAuditor();
  readonly groups = new GroupAuditor();
  readonly ownership = new OwnershipAuditor();
  readonly access = new AccessAuditor();
  readonly transactions = new TransactionAuditor();
  readonly #producerIds = new Map<number, string>();
  readonly #topics = new Set<string>();
  readonly #deletedTopics = new Set<string>();

  topicAcknowledged(topicId: string): void {
    this.#topics.add(topicId);
  }

  topicDeletionAsked(topic: string, topicId: string): void {
    this.#topics.delete(topicId);
    this.logs.topicDeletionAsked(topic);
    this.groups.topicDeletionAsked(topic);
  }

  topicDeletionAcknowledged(topicId: string): void {
    this.#deletedTopics.add(topicId);
  }

  producerIdGranted(producer: string, producerId: number): void {
    const holder = this.#producerIds.get(producerId) ?? producer;
    mustHold(holder === producer, () => `producer id ${producerId} was given to ${holder} and to ${producer}`);
    this.#producerIds.set(producerId, producer);
  }

  /** Checks the ids of the topics that exist in the end. A topic name may reappear, when a duplicated request for it arrives late. */
  inspectTopics(found: readonly string[]): void {
    for (const topic of this.#topics) {
      mustHold(found.includes(topic), () => `topic ${topic} was acknowledged and is gone`);
    }
    for (const topic of found) {
      mustHold(!this.#deletedTopics.has(topic), () => `topic ${topic} was deleted and is there`);
    }
  }

  /**
   * Compares uncompressed bytes by the cluster's own total with the meters of all journal entries. Call it after all logs were inspected.
   */
  inspectMeter(meteredBytes: bigint, journalMeteredBytes: bigint): void {
    const { least, most } = this.logs.meterBounds();
    mustHold(meteredBytes >= least && meteredBytes <= most, () => {
      return `${meteredBytes} bytes are metered; acknowledged or seen are ${least}, at most ${most} can be stored`;
    });
    mustHold(journalMeteredBytes === meteredBytes, () => {
      return `the journal's meters add up to ${journalMeteredBytes}, the cluster's total is ${meteredBytes}`;
    });
  }
}
