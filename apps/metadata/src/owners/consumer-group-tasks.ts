// Background work for consumer groups of the new protocol: computes assignments and resolves regular expressions in
// small steps, so that a large group does not delay the cluster. The results are commands.
import {
  type ClusterState,
  type CommandOf,
  type ConsumerGroupWork,
  computeTarget,
  consumerGroupWork,
  consumerTimings,
} from '@penstock/metadata-core';
import type { ClusterIdentity } from '@penstock/metadata-journal';
import type { Logger } from '@penstock/platform';
import type { Clock } from './clock.ts';
import type { Patterns } from './patterns/patterns.ts';
import { resolvePatterns } from './patterns/resolve-patterns.ts';
import { inTurn } from './turns.ts';

type Result = CommandOf<'install-target-assignment'> | CommandOf<'resolve-group-regexes'>;

/** Each takes a millisecond at most. A small group is done in the first turn. */
const STEPS_PER_TURN = 2;
/** Regular expressions are resolved again only so often, however often topics change. As in Kafka's GroupMetadataManager. */
const REFRESH_INTERVAL_MS = 10_000;
/** After a result could not be submitted, or there was no turn. */
const RETRY_MS = 100;
/** How long a member that joins waits for its assignment. It then learns it with its next heartbeat. */
const MAX_WAIT_MS = 5_000;

export interface ConsumerGroupTasksOptions {
  cluster: ClusterIdentity;
  patterns: Patterns;
  logger: Pick<Logger, 'warn'>;
  /** Waits for a turn among all clusters. Undefined: go on at once. */
  turn: () => Promise<void> | undefined;
  /** The live state of the owner. */
  state: ClusterState;
  clock: Clock;
  /** Applies the command at once; it becomes durable later. False when the owner cannot take it now. */
  apply: (result: Result) => boolean;
}

interface Task {
  /** Ends what is waited for or in progress. */
  cancel: () => void;
}

interface Waiter {
  epoch: number;
  resolve: () => void;
}

interface Resolved {
  version: string;
  atMs: number;
}

export class ConsumerGroupTasks {
  readonly #options: ConsumerGroupTasksOptions;
  readonly #tasks = new Map<string, Task>();
  readonly #waiters = new Map<string, Set<Waiter>>();
  /** By group, whose members left: ends the wait for their return. */
  readonly #returns = new Map<string, () => void>();
  /** By group: in which version of topics and ACLs its regular expressions were resolved. */
  readonly #resolved = new Map<string, Resolved>();
  #isStopped = false;

  constructor(options: ConsumerGroupTasksOptions) {
    this.#options = options;
  }

  /** Does what is due for a group. Call it after the group or the topics may have changed. */
  look(groupId: string): void {
    this.#stopAwaiting(groupId);
    this.#answerWaiters(groupId);
    if (this.#isStopped || this.#tasks.has(groupId)) {
      return;
    }
    const { state, clock } = this.#options;
    const work = consumerGroupWork(state, groupId, this.#isRegexCurrent(groupId));
    if (work === null) {
      this.#resolved.delete(groupId);
      return;
    }
    if (work.regexes.length > 0) {
      this.#resolve(groupId, work.regexes);
    } else if (work.assignFromMs !== null) {
      const delayMs = work.assignFromMs - clock.nowMs();
      if (delayMs > 0) {
        this.#later(groupId, delayMs);
      } else {
        this.#assign(groupId);
      }
    }
  }

  /** Does what is due for many groups, one after the other in turns of their own. */
  lookAtAll(groupIds: readonly string[], from = 0): void {
    const groupId = groupIds[from];
    if (groupId !== undefined && !this.#isStopped) {
      inTurn(this.#options, RETRY_MS, () => {
        this.look(groupId);
        this.#options.clock.soon(() => this.lookAtAll(groupIds, from + 1));
      });
    }
  }

  /**
   * Does what is due after members left, but not at once: a member that restarts comes back within moments and gets what it had, while the
   * others would first get it and then have to give it up, which takes two heartbeats. The next heartbeat of any member ends the wait, as it
   * is what computes the assignment in Kafka.
   */
  lookAfterLeaving(groupId: string): void {
    this.#answerWaiters(groupId);
    if (this.#isStopped || this.#returns.has(groupId)) {
      return;
    }
    const { state, clock } = this.#options;
    const { assignmentIntervalMs } = consumerTimings(state.groupConfigs, groupId);
    this.#returns.set(
      groupId,
      clock.after(assignmentIntervalMs, () => this.look(groupId)),
    );
  }

  /** Whether the group has its assignment, and none is due. */
  isAssigned(groupId: string): boolean {
    const consumer = this.#options.state.groups.get(groupId)?.consumer;
    return !consumer || consumer.epoch === consumer.assignmentEpoch;
  }

  /** Resolves when the group has the assignment that is due now, or after some seconds. */
  async whenAssigned(groupId: string): Promise<void> {
    const consumer = this.#options.state.groups.get(groupId)?.consumer;
    if (this.#isStopped || !consumer || this.isAssigned(groupId)) {
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { epoch: consumer.epoch, resolve };
    const waiters = this.#waiters.get(groupId) ?? new Set();
    this.#waiters.set(groupId, waiters.add(waiter));
    const cancel = this.#options.clock.after(MAX_WAIT_MS, resolve);
    await promise;
    cancel();
    waiters.delete(waiter);
    if (waiters.size === 0 && this.#waiters.get(groupId) === waiters) {
      this.#waiters.delete(groupId);
    }
  }

  stop(): void {
    this.#isStopped = true;
    for (const { cancel } of this.#tasks.values()) {
      cancel();
    }
    this.#tasks.clear();
    for (const stopAwaiting of this.#returns.values()) {
      stopAwaiting();
    }
    this.#returns.clear();
    for (const waiters of this.#waiters.values()) {
      for (const { resolve } of waiters) {
        resolve();
      }
    }
  }

  #stopAwaiting(groupId: string): void {
    this.#returns.get(groupId)?.();
    this.#returns.delete(groupId);
  }

  #isRegexCurrent(groupId: string): boolean {
    const resolved = this.#resolved.get(groupId);
    return (
      resolved !== undefined &&
      (resolved.version === this.#version() || resolved.atMs + REFRESH_INTERVAL_MS > this.#options.clock.monotonicMs())
    );
  }

  #version(): string {
    const { topicsVersion, security } = this.#options.state;
    return `${topicsVersion}/${security.version}`;
  }

  #resolve(groupId: string, regexes: ConsumerGroupWork['regexes']): void {
    const { clock, cluster, logger } = this.#options;
    const { clusterId } = cluster;
    this.#resolved.set(groupId, { version: this.#version(), atMs: clock.monotonicMs() });
    const task = this.#begin(groupId);
    const onTooLarge = (problem: string): void =>
      logger.warn(
        { clusterId, groupId, problem },
        'a regular expression of a consumer group is too large: it finds no topics',
      );
    resolvePatterns({ ...this.#options, monotonicMs: () => clock.monotonicMs(), onTooLarge }, groupId, regexes).then(
      (result) => {
        if (!task.isCancelled) {
          this.#tasks.delete(groupId);
          this.#submit(groupId, result);
        }
      },
      (error: unknown) => {
        if (!task.isCancelled) {
          logger.warn(
            { err: error, clusterId, groupId },
            'regular expressions of a consumer group were not resolved; trying again',
          );
          this.#resolved.delete(groupId);
          this.#later(groupId, REFRESH_INTERVAL_MS);
        }
      },
    );
  }

  #assign(groupId: string): void {
    const steps = computeTarget(this.#options.state, groupId);
    if (steps !== undefined) {
      this.#run(groupId, steps);
    }
  }

  #run(groupId: string, steps: Iterator<void, Result>): void {
    const task = this.#begin(groupId);
    const work = (): void => {
      if (task.isCancelled) {
        return;
      }
      for (let step = 0; step < STEPS_PER_TURN; step += 1) {
        const next = steps.next();
        if (next.done === true) {
          this.#tasks.delete(groupId);
          this.#submit(groupId, next.value);
          return;
        }
      }
      this.#options.clock.soon(() => inTurn(this.#options, RETRY_MS, work));
    };
    work();
  }

  #begin(groupId: string): { cancel: () => void; isCancelled: boolean } {
    const task = {
      isCancelled: false,
      cancel: () => {
        task.isCancelled = true;
      },
    };
    this.#tasks.set(groupId, task);
    return task;
  }

  #submit(groupId: string, result: Result): void {
    if (this.#options.apply(result)) {
      this.look(groupId);
    } else if (!this.#isStopped) {
      this.#later(groupId, RETRY_MS);
    }
  }

  #later(groupId: string, delayMs: number): void {
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#tasks.delete(groupId);
      this.look(groupId);
    });
    this.#tasks.set(groupId, { cancel });
  }

  #answerWaiters(groupId: string): void {
    const consumer = this.#options.state.groups.get(groupId)?.consumer;
    for (const { epoch, resolve } of this.#waiters.get(groupId) ?? []) {
      if (!consumer || consumer.assignmentEpoch >= epoch) {
        resolve();
      }
    }
  }
}
