// Shares this process's one thread among tenants, their organizations and their virtual clusters. A call runs at once while its tenant has
// used little of the current round of the event loop. Otherwise it waits, and those that wait are served by what each has used: see
// `FairShares`. So a flood of one tenant delays another's call by little more than one call.
import { FairShares, type WaitingLimits } from './fair-shares.ts';
import type { Share } from './tenants.ts';

/** Time that a tenant may use per round without waiting. A typical commit takes about 0.1 ms. */
const QUANTUM_MS = 1;
/** How long calls are served, waiting or not, before the event loop reads from connections again. */
const SLICE_MS = 4;
/** Calls that may wait, with their requests in memory. */
const MAX_WAITING: WaitingLimits = [10_000, 5_000, 2_000];
/** Cost of a request's bytes before its turn, for receiving and copying them. Measured: 1 to 2 ms per MiB. */
const MS_PER_BYTE = 2 / 1024 ** 2;

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

/** Too many calls of the cluster, its organization or its tenant are waiting. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';

  constructor() {
    super('too many calls of this virtual cluster, or of its organization, are waiting; try again');
  }
}

interface Turn {
  begin: () => void;
  requestMs: number;
}

export class FairQueue {
  readonly #scheduling: Scheduling;
  readonly #shares: FairShares<Turn>;
  /** Time that each tenant has used in this round. */
  readonly #usedMs = new Map<string, number>();
  #roundMs = 0;
  #isRunning = false;
  #isRoundPlanned = false;

  constructor(monotonicMs: () => number, scheduling: Partial<Scheduling> = {}, maxWaiting = MAX_WAITING) {
    this.#scheduling = { monotonicMs, ...nodeScheduling, ...scheduling };
    this.#shares = new FairShares(maxWaiting);
  }

  /** How many calls are waiting; for metrics. */
  get size(): number {
    return this.#shares.size;
  }

  /**
   * Takes a turn. What the caller does synchronously and in promise reactions from now on is measured.
   * @param requestBytes that were received for it
   * @returns undefined if the caller may go on at once, otherwise a promise of its turn
   * @throws QueueFull
   */
  enter(share: Share, requestBytes = 0): Promise<void> | undefined {
    this.#planRound();
    const requestMs = requestBytes * MS_PER_BYTE;
    if (this.#mayGoOn(share)) {
      this.#isRunning = true;
      const startMs = this.#scheduling.monotonicMs();
      this.#scheduling.afterMicrotasks(() => {
        this.#isRunning = false;
        this.#charge(share, startMs, requestMs);
      });
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    if (!this.#shares.push(share, { begin: resolve, requestMs })) {
      throw new QueueFull();
    }
    return promise;
  }

  #mayGoOn([tenant]: Share): boolean {
    return (
      !this.#isRunning &&
      this.#shares.size === 0 &&
      this.#roundMs < SLICE_MS &&
      (this.#usedMs.get(tenant) ?? 0) < QUANTUM_MS
    );
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
    this.#roundMs = 0;
    const sliceStartMs = monotonicMs();
    this.#isRunning = true;
    for (let next = this.#shares.next(); next !== undefined; next = this.#shares.next()) {
      const startMs = monotonicMs();
      next.item.begin();
      await new Promise<void>((resolve) => afterMicrotasks(resolve));
      this.#charge(next.share, startMs, next.item.requestMs);
      if (monotonicMs() - sliceStartMs >= SLICE_MS) {
        break;
      }
    }
    this.#isRunning = false;
    if (this.#shares.size > 0) {
      this.#planRound();
    } else {
      this.#shares.reset();
    }
  }

  #charge(share: Share, startMs: number, requestMs: number): void {
    const [tenant] = share;
    const usedMs = this.#scheduling.monotonicMs() - startMs;
    this.#roundMs += usedMs;
    this.#usedMs.set(tenant, (this.#usedMs.get(tenant) ?? 0) + usedMs + requestMs);
    this.#shares.charge(share, usedMs + requestMs);
  }
}
