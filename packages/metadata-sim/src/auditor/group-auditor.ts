// What consumers were promised: one owner of a partition per generation, and committed offsets that stay.
import { promise } from './audit-failure.ts';

interface PossibleOffsets {
  acknowledged: number;
  /** Asked for since, without an answer, by the number of the asking: they may have been kept or not. */
  open: Map<number, number>;
}

export class GroupAuditor {
  /** group and generation -> partition -> member */
  readonly #owners = new Map<string, Map<string, string>>();
  readonly #assignments = new Map<string, string>();
  readonly #leaders = new Map<string, string>();
  readonly #generations = new Map<string, number>();
  readonly #offsets = new Map<string, PossibleOffsets>();
  readonly #doomedTopics = new Set<string>();
  #asked = 0;

  /** A member joined a generation. */
  joined(group: string, generation: number, leader: string, memberId: string): void {
    const key = `${group} generation ${generation}`;
    const before = this.#leaders.get(key) ?? leader;
    promise(before === leader, () => `${key} was led by ${before}, and ${memberId} was told ${leader}`);
    this.#leaders.set(key, leader);
  }

  /** A member was told its partitions of a generation. */
  assigned(group: string, generation: number, memberId: string, partitions: readonly string[]): void {
    const key = `${group} generation ${generation}`;
    const text = partitions.join(',');
    const before = this.#assignments.get(`${key} ${memberId}`) ?? text;
    promise(before === text, () => `${key}: ${memberId} was assigned [${before}], then [${text}]`);
    this.#assignments.set(`${key} ${memberId}`, text);
    const owners = this.#owners.get(key) ?? new Map<string, string>();
    this.#owners.set(key, owners);
    for (const partition of partitions) {
      const owner = owners.get(partition) ?? memberId;
      promise(owner === memberId, () => `${key}: partition ${partition} is assigned to ${owner} and to ${memberId}`);
      owners.set(partition, memberId);
    }
  }

  /** Somebody asked to delete a topic: what was committed for it may be gone. */
  topicDeletionAsked(topic: string): void {
    this.#doomedTopics.add(topic);
  }

  /** Returns the number of the asking, which its answer names. */
  commitAsked(group: string, topicPartition: string, offset: number): number {
    this.#asked += 1;
    this.#possible(group, topicPartition).open.set(this.#asked, offset);
    return this.#asked;
  }

  /** What was asked before this one can no longer come true: one owner takes requests in order, and any other is fenced. */
  commitAcknowledged(group: string, topicPartition: string, asked: number): void {
    const possible = this.#possible(group, topicPartition);
    possible.acknowledged = possible.open.get(asked) ?? possible.acknowledged;
    for (const number of possible.open.keys()) {
      if (number <= asked) {
        possible.open.delete(number);
      }
    }
  }

  /** It was answered with a refusal. */
  commitRefused(group: string, topicPartition: string, asked: number): void {
    this.#possible(group, topicPartition).open.delete(asked);
  }

  /** What a recovered cluster says that a group has committed; -1: nothing. */
  inspectOffset(group: string, topicPartition: string, offset: number): void {
    const { acknowledged, open } = this.#possible(group, topicPartition);
    const [topic = ''] = topicPartition.split(':');
    if (offset === -1 && this.#doomedTopics.has(topic)) {
      return;
    }
    promise(offset === acknowledged || [...open.values()].includes(offset), () => {
      const others = [...open.values()].join(', ');
      return `${group} committed ${acknowledged} for ${topicPartition} (or one of [${others}]), and finds ${offset}`;
    });
  }

  /** Generations of a recovered cluster never go back, and cover all that was told. */
  inspectGeneration(group: string, generation: number): void {
    const before = this.#generations.get(group) ?? generation;
    promise(generation >= before, () => `${group} was in generation ${before}, now it is in ${generation}`);
    this.#generations.set(group, generation);
  }

  /** Every topic-partition for which a group ever asked to commit. */
  commits(): { group: string; topicPartition: string }[] {
    return [...this.#offsets.keys()].map((key) => {
      const [group = '', topicPartition = ''] = key.split(' ');
      return { group, topicPartition };
    });
  }

  #possible(group: string, topicPartition: string): PossibleOffsets {
    const key = `${group} ${topicPartition}`;
    const possible = this.#offsets.get(key) ?? { acknowledged: -1, open: new Map<number, number>() };
    this.#offsets.set(key, possible);
    return possible;
  }
}
