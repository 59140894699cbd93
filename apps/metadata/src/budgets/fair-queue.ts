// Shares this process's one thread among virtual clusters. A call runs at once while its cluster has used little of the current round of
// the event loop. Otherwise it waits, and the clusters that wait are served by the time that each has used: the one with the least is next
// (fair queueing by virtual time). So a flood of one cluster delays another's call by little more than one call.
// https://dl.acm.org/doi/10.1145/75246.75248

/** What a cluster may use of a round without waiting. A usual commit takes about 0.1 ms. */
const QUANTUM_MS = 1;
/** How long waiting calls are served before the event loop reads from connections again. */
const SLICE_MS = 4;
/** Calls of one cluster that may wait, with their requests in memory. */
const MAX_WAITING = 2_000;

export interface Scheduling {
  monotonicMs: () => number;
  /** Runs when all promise reactions that are due have run. */
  afterMicrotasks: (run: () => void) => void;
  /** Runs in the next round of the event loop, after it has read from connections. */
  nextRound: (run: () => void) => void;
}

const nodeScheduling: Omit<Scheduling, 'monotonicMs'> = {
  afterMicrotasks: (run) => process.nextTick(run),
  nextRound: (run) => setImmediate(run),
};

/** Too many calls of the cluster are waiting. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';

  constructor() {
    super('too many calls of this virtual cluster are waiting; try again');
  }
}

export class FairQueue {
  readonly #scheduling: Scheduling;
  readonly #maxWaiting: number;
  readonly #waiting = new Map<string, (() => void)[]>();
  /** What each cluster has used, as virtual time in milliseconds. Forgotten when nothing waits. */
  readonly #virtualMs = new Map<string, number>();
  /** What each cluster has used of this round. */
  readonly #usedMs = new Map<string, number>();
  /** The virtual time of the last turn: a cluster that comes back starts here, so it cannot save time up. */
  #floorMs = 0;
  #isRunning = false;
  #isRoundPlanned = false;

  constructor(monotonicMs: () => number, scheduling: Partial<Scheduling> = {}, maxWaiting = MAX_WAITING) {
    this.#scheduling = { monotonicMs, ...nodeScheduling, ...scheduling };
    this.#maxWaiting = maxWaiting;
  }

  /** How many calls are waiting; for metrics. */
  get size(): number {
    let size = 0;
    for (const turns of this.#waiting.values()) {
      size += turns.length;
    }
    return size;
  }

  /**
   * Takes a turn. What the caller does synchronously and in promise reactions from now on is measured.
   * @returns undefined if the caller may go on at once, otherwise a promise of its turn
   * @throws QueueFull
   */
  enter(clusterId: string): Promise<void> | undefined {
    this.#planRound();
    if (!this.#isRunning && this.#waiting.size === 0 && (this.#usedMs.get(clusterId) ?? 0) < QUANTUM_MS) {
      this.#isRunning = true;
      const startMs = this.#scheduling.monotonicMs();
      this.#scheduling.afterMicrotasks(() => {
        this.#isRunning = false;
        this.#charge(clusterId, startMs);
      });
      return undefined;
    }
    const turns = this.#waiting.get(clusterId) ?? [];
    if (turns.length >= this.#maxWaiting) {
      throw new QueueFull();
    }
    if (turns.length === 0) {
      this.#waiting.set(clusterId, turns);
      this.#virtualMs.set(clusterId, Math.max(this.#virtualMs.get(clusterId) ?? 0, this.#floorMs));
    }
    return new Promise((resolve) => turns.push(resolve));
  }

  #planRound(): void {
    if (!this.#isRoundPlanned) {
      this.#isRoundPlanned = true;
      this.#scheduling.nextRound(() => void this.#serve());
    }
  }

  async #serve(): Promise<void> {
    const { monotonicMs, afterMicrotasks } = this.#scheduling;
    this.#isRoundPlanned = false;
    this.#usedMs.clear();
    const sliceStartMs = monotonicMs();
    this.#isRunning = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const startMs = monotonicMs();
      next.turn();
      await new Promise<void>((resolve) => afterMicrotasks(resolve));
      this.#charge(next.clusterId, startMs);
      if (monotonicMs() - sliceStartMs >= SLICE_MS) {
        break;
      }
    }
    this.#isRunning = false;
    if (this.#waiting.size > 0) {
      this.#planRound();
    } else {
      this.#virtualMs.clear();
      this.#floorMs = 0;
    }
  }

  /** Removes the oldest turn of the cluster that has used the least. */
  #next(): { clusterId: string; turn: () => void } | undefined {
    let least: string | undefined;
    let leastMs = Number.POSITIVE_INFINITY;
    for (const clusterId of this.#waiting.keys()) {
      const virtualMs = this.#virtualMs.get(clusterId) ?? 0;
      if (virtualMs < leastMs) {
        least = clusterId;
        leastMs = virtualMs;
      }
    }
    if (least === undefined) {
      return undefined;
    }
    const turns = this.#waiting.get(least) ?? [];
    const turn = turns.shift();
    if (turns.length === 0) {
      this.#waiting.delete(least);
    }
    this.#floorMs = leastMs;
    return turn === undefined ? undefined : { clusterId: least, turn };
  }

  #charge(clusterId: string, startMs: number): void {
    const usedMs = this.#scheduling.monotonicMs() - startMs;
    this.#usedMs.set(clusterId, (this.#usedMs.get(clusterId) ?? 0) + usedMs);
    this.#virtualMs.set(clusterId, (this.#virtualMs.get(clusterId) ?? this.#floorMs) + usedMs);
  }
}
