// Calls over a budget wait until the budget allows them, in the order in which they arrived, for up to a second. So a tenant that asks for
// more than its budget is served at that rate, and its calls do not cost an answer and another attempt each. A call that has waited for
// too long is refused. Refusals are sent one at a time, so that the calls which may follow them do not arrive all at once.
import { Code, ConnectError } from '@connectrpc/connect';
import { SECOND_MS } from '@penstock/units';
import type { Clock } from '../owners/clock.ts';
import { type BudgetCaller, budgetKind, type CallBudgets } from './call-budgets.ts';

const RETRY_AFTER_HEADER = 'retry-after';
/** A call waits for its budget at most this long. */
const MAX_WAIT_MS = 1_000;
/** How often to look at a budget that is in debt: a commit that is read meanwhile may get some of its charge back. */
const LOOK_AGAIN_MS = 20;
/** Time between two refusals of one cluster. Sending one, and reading the call that may follow it, takes about 0.2 ms. */
const GAP_MS = 1;
/** Calls of one cluster that wait, without their requests, which are not read yet. Further ones are refused at once. */
const MAX_WAITING = 1_000;

interface Waiting {
  untilMs: number;
  expectedBatches: number;
  admitted: () => void;
  refused: (error: ConnectError) => void;
}

/** The calls of one key that wait for the same budgets. */
interface Queue {
  readonly caller: BudgetCaller;
  readonly method: string;
  readonly waiting: Waiting[];
}

interface ClusterQueues {
  /** By key and kind of budget. */
  readonly queues: Map<string, Queue>;
  count: number;
  /** The next refusal is sent then or later. */
  nextRefusalMs: number;
}

export class OverBudget {
  readonly #budgets: CallBudgets;
  readonly #clock: Pick<Clock, 'after' | 'monotonicMs'>;
  readonly #clusters = new Map<string, ClusterQueues>();

  constructor(budgets: CallBudgets, clock: Pick<Clock, 'after' | 'monotonicMs'>) {
    this.#budgets = budgets;
    this.#clock = clock;
  }

  /**
   * Charges one call (see `CallBudgets.admit`), as soon as the budgets allow it.
   * @throws ConnectError resource_exhausted, with a `retry-after` in seconds, when that takes too long
   */
  async requireBudget(caller: BudgetCaller, method: string, expectedBatches = 0): Promise<void> {
    const cluster = this.#clusters.get(caller.clusterId);
    const name = `${caller.keyId} ${budgetKind(method)}`;
    const queue = cluster?.queues.get(name);
    if (queue === undefined && this.#budgets.admit(caller, method, expectedBatches) === 0) {
      return;
    }
    if (cluster !== undefined && cluster.count >= MAX_WAITING) {
      throw this.#refusal(this.#budgets.waitMs(caller, method));
    }
    await this.#wait(caller, method, name, expectedBatches);
  }

  async #wait(caller: BudgetCaller, method: string, name: string, expectedBatches: number): Promise<void> {
    const { clusterId } = caller;
    const cluster = this.#clusters.get(clusterId) ?? { queues: new Map(), count: 0, nextRefusalMs: 0 };
    this.#clusters.set(clusterId, cluster);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const untilMs = this.#clock.monotonicMs() + MAX_WAIT_MS;
    const waiting: Waiting = { untilMs, expectedBatches, admitted: resolve, refused: reject };
    cluster.count += 1;
    const queue = cluster.queues.get(name);
    if (queue === undefined) {
      const started: Queue = { caller, method, waiting: [waiting] };
      cluster.queues.set(name, started);
      this.#serve(cluster, name, started);
    } else {
      queue.waiting.push(waiting);
    }
    await promise;
  }

  /** Admits the calls at the head that the budgets allow, and refuses one that has waited for too long. */
  #serve(cluster: ClusterQueues, name: string, queue: Queue): void {
    const { caller, method, waiting } = queue;
    let budgetMs = 0;
    for (let [head] = waiting; head !== undefined; [head] = waiting) {
      budgetMs = this.#budgets.admit(caller, method, head.expectedBatches);
      if (budgetMs > 0) {
        break;
      }
      waiting.shift();
      cluster.count -= 1;
      head.admitted();
    }
    const nowMs = this.#clock.monotonicMs();
    const [late] = waiting;
    if (late !== undefined && late.untilMs <= nowMs && cluster.nextRefusalMs <= nowMs) {
      waiting.shift();
      cluster.count -= 1;
      cluster.nextRefusalMs = nowMs + GAP_MS;
      late.refused(this.#refusal(budgetMs));
    }
    const [next] = waiting;
    if (next !== undefined) {
      const refusalMs = Math.max(next.untilMs, cluster.nextRefusalMs) - nowMs;
      this.#clock.after(Math.max(1, Math.min(budgetMs, refusalMs, LOOK_AGAIN_MS)), () =>
        this.#serve(cluster, name, queue),
      );
      return;
    }
    cluster.queues.delete(name);
    if (cluster.queues.size === 0) {
      this.#clusters.delete(caller.clusterId);
    }
  }

  #refusal(waitMs: number): ConnectError {
    this.#budgets.noteRefusal();
    const retryAfterS = Math.max(1, Math.ceil(waitMs / SECOND_MS));
    return new ConnectError(
      `this virtual cluster or agent key makes more calls, commits or batches per second than its budget allows: try again in ${retryAfterS} s`,
      Code.ResourceExhausted,
      { [RETRY_AFTER_HEADER]: String(retryAfterS) },
    );
  }
}
