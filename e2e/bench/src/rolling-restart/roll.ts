// One rolling restart of a group: each member leaves, another takes its place, and the next follows when all have their even share again.
import {
  GroupMembers,
  type Member,
  type MemberClient,
  type NewMember,
} from '../../../clients/consumer-groups/group-members.ts';
import { startTraffic, type Traffic } from '../../../clients/support/traffic.ts';

type Protocol = NewMember['protocol'];

export interface RollPlan {
  client: MemberClient;
  /** Protocols of the initial members and of their replacements. If they differ, the group migrates. */
  protocols: { before: Protocol; after: Protocol };
  /** Also the name of its topic, which exists. */
  group: string;
  members: number;
  partitions: number;
}

export interface RollResult {
  /** From the first join to the first even assignment. */
  startMs: number;
  /**
   * Duration of each restart: from asking the member to leave until it is gone, and until the assignment is even again.
   */
  restarts: { leftMs: number; evenMs: number }[];
  /** Partitions that another member has after a restart though theirs stayed. */
  moved: number;
  /** Partitions that a member got before another had given them up. */
  conflicts: number;
  /** At the end, of all partitions. */
  ownedOnce: number;
  /** Acknowledged by the cluster while members restarted. */
  sent: number;
  /** Acknowledged and read by no member. */
  lost: number;
  /** Read again, after a member left without a commit. */
  readTwice: number;
  /** The longest that a record waited until a member read it, before the first restart and during all. */
  quietWaitMs: number;
  restartWaitMs: number;
}

const POLL_MS = 20;
/** Only for what hangs. */
const GIVE_UP_MS = 120_000;
const QUIET_MS = 5_000;
const RECORDS_PER_S = 200;
const JAVA_HEAP = '768m';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A group that has started and waits for its restarts. */
export class RollingGroup {
  readonly #plan: RollPlan;
  readonly #bootstrap: string;
  readonly #members: GroupMembers;
  #shown: Member[] = [];
  #startMs = 0;

  private constructor(plan: RollPlan, bootstrap: string, members: GroupMembers) {
    this.#plan = plan;
    this.#bootstrap = bootstrap;
    this.#members = members;
  }

  /** Starts the members and waits for the first even assignment. */
  static async start(plan: RollPlan, bootstrap: string): Promise<RollingGroup> {
    const group = new RollingGroup(plan, bootstrap, await GroupMembers.start(bootstrap, JAVA_HEAP, plan.client));
    const startedAt = performance.now();
    for (const name of group.#names()) {
      await group.#join(name, plan.protocols.before);
    }
    group.#shown = await group.#untilEven();
    group.#startMs = performance.now() - startedAt;
    return group;
  }

  stop(): Promise<void> {
    return this.#members.stop();
  }

  async restartAll(onRestart: (done: number, evenMs: number) => void): Promise<RollResult> {
    const { group } = this.#plan;
    const traffic = await startTraffic({ bootstrap: this.#bootstrap, topic: group, recordsPerS: RECORDS_PER_S });
    try {
      return await this.#restartUnder(traffic, onRestart);
    } catch (error) {
      await traffic.stop();
      throw error;
    }
  }

  async #restartUnder(traffic: Traffic, onRestart: (done: number, evenMs: number) => void): Promise<RollResult> {
    const { group, protocols, partitions } = this.#plan;
    await traffic.flows(RECORDS_PER_S);
    await this.#members.longestWaitMs(group);
    await pause(QUIET_MS);
    const quietWaitMs = await this.#members.longestWaitMs(group);
    const restarts: RollResult['restarts'] = [];
    let moved = 0;
    for (const name of this.#names()) {
      const before = this.#shown;
      const startedAt = performance.now();
      await this.#members.close(name, 'leave');
      const leftMs = performance.now() - startedAt;
      await this.#join(`${name}-again`, protocols.after);
      this.#shown = await this.#untilEven();
      const evenMs = performance.now() - startedAt;
      restarts.push({ leftMs, evenMs });
      moved += movedBetween(before, this.#shown);
      onRestart(restarts.length, evenMs);
    }
    const { acknowledged } = await traffic.stop();
    const records = await this.#untilRead(acknowledged.length);
    const owned = this.#shown.flatMap((member) => member.partitions);
    return {
      startMs: this.#startMs,
      restarts,
      moved,
      conflicts: (await this.#members.conflicts()).length,
      ownedOnce: owned.length === partitions ? new Set(owned).size : 0,
      sent: acknowledged.length,
      lost: acknowledged.length - records.different,
      readTwice: records.read - records.different,
      quietWaitMs,
      restartWaitMs: await this.#members.longestWaitMs(group),
    };
  }

  #names(): string[] {
    return Array.from({ length: this.#plan.members }, (_, at) => `m${at}`);
  }

  async #join(name: string, protocol: Protocol): Promise<void> {
    const { group } = this.#plan;
    await this.#members.join({ name, protocol, group, subscription: [group] });
  }

  /** @throws Error when a member failed, or nothing more happens */
  async #untilEven(): Promise<Member[]> {
    const { members, partitions } = this.#plan;
    const giveUpAt = performance.now() + GIVE_UP_MS;
    for (;;) {
      const shown = await this.#members.show();
      const sizes = shown.map((member) => member.partitions.length);
      const owned = new Set(shown.flatMap((member) => member.partitions)).size;
      if (shown.length === members && owned === partitions && Math.max(...sizes) - Math.min(...sizes) <= 1) {
        return shown;
      }
      const failed = shown.find(({ error }) => error !== null);
      if (failed !== undefined || performance.now() > giveUpAt) {
        const why = failed === undefined ? `after ${GIVE_UP_MS} ms` : `${failed.name} failed: ${failed.error}`;
        throw new Error(`No even assignment, ${why}: ${sizes.join(' ')}`);
      }
      await pause(POLL_MS);
    }
  }

  /** Waits while there are records to read; what is not read then is lost. */
  async #untilRead(count: number): Promise<{ read: number; different: number }> {
    let records = await this.#members.records(this.#plan.group);
    let changedAt = performance.now();
    while (records.different < count && performance.now() - changedAt < GIVE_UP_MS) {
      await pause(POLL_MS);
      const now = await this.#members.records(this.#plan.group);
      if (now.different > records.different) {
        changedAt = performance.now();
      }
      records = now;
    }
    return records;
  }
}

/** Partitions whose owner before is still there, and has them no more. */
function movedBetween(before: readonly Member[], after: readonly Member[]): number {
  const ownerNow = new Map(after.flatMap(({ name, partitions }) => partitions.map((partition) => [partition, name])));
  const stayed = new Set(after.map(({ name }) => name));
  return before
    .filter(({ name }) => stayed.has(name))
    .flatMap(({ name, partitions }) => partitions.filter((partition) => ownerNow.get(partition) !== name)).length;
}
