// One thread in which the patterns of all clusters are compiled and matched, so that no pattern holds up this process. It gets one question
// at a time, and clusters have their turns as they have with the main thread. When it takes too long for an answer it is ended, and another
// one is started for the next question.
import { Worker } from 'node:worker_threads';
import type { ClusterIdentity } from '@penstock/metadata-journal';
import { FairShares } from '../../budgets/fair-shares.ts';
import type { Share } from '../../budgets/tenants.ts';
import type { HostClock } from '../clock.ts';
import { type Matches, type Patterns, PatternsUnavailable } from './patterns.ts';
import type { PatternAnswer, PatternQuestion } from './run-pattern-thread.ts';

/** Five times the longest answer within the bounds, on a machine that has time for it. */
const DEADLINE_MS = 1_000;
/** The first deadline, which includes the start of the thread. */
const FIRST_DEADLINE_MS = 10_000;
/** Questions that may wait: of all that do not pay or one customer, of one organization, of one cluster. */
const MAX_WAITING = [2_000, 1_000, 500] as const;
/** The compiled patterns that are kept, several times. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

export interface PatternThreadOptions {
  clock: Pick<HostClock, 'after' | 'monotonicMs'>;
  shareOf: (cluster: ClusterIdentity) => Share;
  deadlineMs?: number;
}

interface Asked {
  question: PatternQuestion;
  answered: PromiseWithResolvers<PatternAnswer>;
}

export class PatternThread implements Patterns {
  readonly #options: PatternThreadOptions;
  readonly #shares = new FairShares<Asked>(MAX_WAITING);
  #worker: Worker | undefined;
  /** The current work of the thread. */
  #current: { share: Share; asked: Asked; startMs: number; stopDeadline: () => void } | undefined;
  #isStopped = false;
  #ended = 0;

  constructor(options: PatternThreadOptions) {
    this.#options = options;
  }

  /** How many times the thread was ended because an answer took too long; for metrics. */
  get ended(): number {
    return this.#ended;
  }

  async problem(cluster: ClusterIdentity, pattern: string): Promise<string | null> {
    const answer = await this.#ask(cluster, { pattern });
    return answer.kind === 'problem' ? answer.problem : null;
  }

  async match(cluster: ClusterIdentity, pattern: string, names: readonly string[]): Promise<Matches> {
    const answer = await this.#ask(cluster, { pattern, names: names.join('\n') });
    return answer.kind === 'matches' ? answer : { matched: [], looked: names.length };
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const worker = this.#worker;
    this.#fail('the service is shutting down');
    for (let next = this.#shares.next(); next !== undefined; next = this.#shares.next()) {
      next.item.answered.reject(new PatternsUnavailable('the service is shutting down'));
    }
    await worker?.terminate();
  }

  #ask(cluster: ClusterIdentity, question: PatternQuestion): Promise<PatternAnswer> {
    const answered = Promise.withResolvers<PatternAnswer>();
    if (this.#isStopped || !this.#shares.push(this.#options.shareOf(cluster), { question, answered })) {
      answered.reject(
        new PatternsUnavailable('too many regular expressions of this virtual cluster are waiting; try again'),
      );
    } else {
      this.#next();
    }
    return answered.promise;
  }

  #next(): void {
    if (this.#current !== undefined) {
      return;
    }
    const next = this.#shares.next();
    if (next === undefined) {
      this.#shares.reset();
      return;
    }
    const { clock, deadlineMs = DEADLINE_MS } = this.#options;
    const delayMs = this.#worker === undefined ? FIRST_DEADLINE_MS + deadlineMs : deadlineMs;
    const worker = this.#worker ?? this.#start();
    this.#current = {
      share: next.share,
      asked: next.item,
      startMs: clock.monotonicMs(),
      stopDeadline: clock.after(delayMs, () => {
        this.#ended += 1;
        this.#fail('the regular expression takes too long; use a simpler one, or subscribe to topics by name');
      }),
    };
    worker.postMessage(next.item.question);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./run-pattern-thread.ts', import.meta.url), { resourceLimits: RESOURCE_LIMITS });
    worker.unref();
    worker.on('message', (answer: PatternAnswer) => {
      if (worker === this.#worker) {
        this.#finish()?.answered.resolve(answer);
        this.#next();
      }
    });
    // Out of memory, or a defect of ours: the callers are refused, and the next question gets another thread.
    const onEnd = (error?: unknown): void => {
      if (worker === this.#worker) {
        this.#fail(`the thread of regular expressions ended${error instanceof Error ? `: ${error.message}` : ''}`);
      }
    };
    worker.on('error', onEnd);
    worker.on('exit', () => onEnd());
    this.#worker = worker;
    return worker;
  }

  #fail(reason: string): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
    this.#finish()?.answered.reject(new PatternsUnavailable(reason));
    if (!this.#isStopped) {
      this.#next();
    }
  }

  #finish(): Asked | undefined {
    const current = this.#current;
    this.#current = undefined;
    if (current === undefined) {
      return undefined;
    }
    current.stopDeadline();
    this.#shares.charge(current.share, this.#options.clock.monotonicMs() - current.startMs);
    return current.asked;
  }
}
