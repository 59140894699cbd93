// Checks the promises to consumers: one owner of a partition per generation, generations that never go back, and committed offsets that
// stay.
import { mustHold } from './audit-failure.ts';

/** One requested offset commit. Moments are counted, not measured: a later one has a greater number. */
interface Commit {
  offset: number;
  askedAt: number;
  /** Infinite while it is unanswered: it may still happen. */
  endedAt: number;
  /** Whether it was acknowledged. */
  isKept: boolean;
}

export class GroupAuditor {
  /** Group and generation -> partition -> member. */
  readonly #owners = new Map<string, Map<string, string>>();
  readonly #assignments = new Map<string, string>();
  readonly #leaders = new Map<string, string>();
  readonly #generations = new Map<string, number>();
  readonly #commits = new Map<string, Commit[]>();
  readonly #doomedTopics = new Set<string>();
  #moment = 0;
  #assigned = 0;

  /** How often a member was assigned its partitions. */
  get assignedMembers(): number {
    return this.#assigned;
  }

  /** A member starts to join. Pass the generation that it gets to the returned function. */
  joinStarted(group: string): (generation: number, leader: string) => void {
    const least = this.#generations.get(group) ?? 0;
    return (generation, leader) => {
      mustHold(
        generation >= least,
        () => `${group} was in generation ${least}, and a member joined generation ${generation}`,
      );
      this.#generations.set(group, Math.max(this.#generations.get(group) ?? 0, generation));
      const key = `${group} generation ${generation}`;
      const before = this.#leaders.get(key) ?? leader;
      mustHold(before === leader, () => `${key} was led by ${before}, now it is led by ${leader}`);
      this.#leaders.set(key, leader);
    };
  }

  /** A member got its partitions of a generation. A static member is the same one under any member id. */
  assigned(group: string, generation: number, who: string, partitions: readonly string[]): void {
    this.#assigned += 1;
    const key = `${group} generation ${generation}`;
    const text = partitions.join(',');
    const before = this.#assignments.get(`${key} ${who}`) ?? text;
    mustHold(before === text, () => `${key}: ${who} was assigned [${before}], then [${text}]`);
    this.#assignments.set(`${key} ${who}`, text);
    const owners = this.#owners.get(key) ?? new Map<string, string>();
    this.#owners.set(key, owners);
    for (const partition of partitions) {
      const owner = owners.get(partition) ?? who;
      mustHold(owner === who, () => `${key}: partition ${partition} is assigned to ${owner} and to ${who}`);
      owners.set(partition, who);
    }
  }

  /** A topic deletion was requested: offsets committed for the topic may be gone. */
  topicDeletionAsked(topic: string): void {
    this.#doomedTopics.add(topic);
  }

  /**
   * An offset commit is requested. Call the returned function when it is acknowledged. A refusal proves nothing, because an attempt before
   * the refused one may have succeeded.
   */
  commitAsked(group: string, topicPartition: string, offset: number): () => void {
    const commit = { offset, askedAt: this.#next(), endedAt: Number.POSITIVE_INFINITY, isKept: false };
    const commits = this.#commits.get(`${group} ${topicPartition}`) ?? [];
    this.#commits.set(`${group} ${topicPartition}`, commits);
    commits.push(commit);
    return () => {
      commit.isKept = true;
      commit.endedAt = this.#next();
    };
  }

  /** The committed offset is requested. Pass the answer (-1: nothing) to the returned function. */
  readStarted(group: string, topicPartition: string): (offset: number) => void {
    const startedAt = this.#next();
    return (offset) => {
      const [topic = ''] = topicPartition.split(':');
      if (this.#doomedTopics.has(topic)) {
        return;
      }
      const commits = this.#commits.get(`${group} ${topicPartition}`) ?? [];
      // A kept commit is superseded if another kept one started after it ended, and itself ended before this read started.
      const settled = commits.filter(({ isKept, endedAt }) => isKept && endedAt < startedAt);
      const latest = settled.reduce((max, { askedAt }) => Math.max(max, askedAt), -1);
      const possible = commits.filter(({ endedAt }) => endedAt > latest).map((commit) => commit.offset);
      mustHold(possible.includes(offset) || (offset === -1 && latest === -1), () => {
        return `${group} committed one of [${possible.join(', ')}] for ${topicPartition}, and finds ${offset}`;
      });
    };
  }

  /** Every topic-partition for which a group ever requested a commit. */
  get committed(): { group: string; topicPartition: string }[] {
    return [...this.#commits.keys()].map((key) => {
      const [group = '', topicPartition = ''] = key.split(' ');
      return { group, topicPartition };
    });
  }

  #next(): number {
    this.#moment += 1;
    return this.#moment;
  }
}
