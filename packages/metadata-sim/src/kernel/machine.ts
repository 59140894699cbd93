// One machine with one process on it: a clock that may be wrong, and a processor that may stand still or die. Whatever reaches a
// process (timers, answers, requests) reaches it through its machine.
import type { HostClock } from '@penstock/metadata/simulation';
import type { Scheduler } from './scheduler.ts';

export interface ClockDefects {
  /** Ticks per true tick. */
  rate: number;
  /** How far the wall clock is ahead. */
  offsetMs: number;
}

/** `stopped`: the monotonic clock goes on, as under SIGSTOP or a long garbage collection. `suspended`: it stands still, as in a
 * suspended virtual machine. */
export type Halt = 'stopped' | 'suspended';

/** A monotonic clock begins somewhere. */
const FIRST_TICK_MS = 1_000;

export class Machine implements HostClock {
  readonly name: string;
  readonly #scheduler: Scheduler;
  readonly #defects: ClockDefects;
  /** Asked before anything reaches the process: how long it stands still first. */
  readonly #pauseMs: () => number;
  readonly #startedTrueMs: number;
  #anchorTrueMs: number;
  #anchorMonotonicMs = FIRST_TICK_MS;
  #halt: Halt | undefined;
  #isDead = false;
  #waiting: (() => void)[] = [];

  constructor(name: string, scheduler: Scheduler, defects: ClockDefects, pauseMs: () => number = () => 0) {
    this.name = name;
    this.#scheduler = scheduler;
    this.#defects = { ...defects };
    this.#pauseMs = pauseMs;
    this.#anchorTrueMs = scheduler.nowMs;
    this.#startedTrueMs = scheduler.nowMs;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get isHalted(): boolean {
    return this.#halt !== undefined;
  }

  get defects(): Readonly<ClockDefects> {
    return this.#defects;
  }

  nowMs(): number {
    return Math.floor(this.#scheduler.nowMs + this.#defects.offsetMs);
  }

  monotonicMs(): number {
    if (this.#halt === 'suspended') {
      return this.#anchorMonotonicMs;
    }
    return this.#anchorMonotonicMs + (this.#scheduler.nowMs - this.#anchorTrueMs) * this.#defects.rate;
  }

  bootMs(): number {
    return FIRST_TICK_MS + (this.#scheduler.nowMs - this.#startedTrueMs) * this.#defects.rate;
  }

  after(delayMs: number, fire: () => void): () => void {
    const dueMs = this.monotonicMs() + Math.max(0, delayMs);
    let isCancelled = false;
    const wake = (): void => {
      if (isCancelled) {
        return;
      }
      const restMs = dueMs - this.monotonicMs();
      // The clock stood still meanwhile. A rest of less than a microsecond is rounding.
      if (restMs > 0.001) {
        this.#arm(restMs, wake);
      } else {
        isCancelled = true;
        fire();
      }
    };
    this.#arm(Math.max(0, delayMs), wake);
    return () => {
      isCancelled = true;
    };
  }

  soon(fire: () => void): void {
    this.#scheduler.after(0, () => this.deliver(fire));
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(delayMs, resolve);
    });
  }

  /** Something reaches the process: at once, when it runs again, or never. */
  deliver(fire: () => void): void {
    if (this.#isDead) {
      return;
    }
    if (this.#halt !== undefined) {
      this.#waiting.push(fire);
      return;
    }
    const pauseMs = this.#pauseMs();
    if (pauseMs > 0) {
      this.#waiting.push(fire);
      this.halt('stopped', pauseMs);
    } else {
      fire();
    }
  }

  /** Stands still for this long. */
  halt(kind: Halt, forMs: number): void {
    if (this.#isDead || this.#halt !== undefined) {
      return;
    }
    this.#anchor();
    this.#halt = kind;
    this.#scheduler.after(forMs, () => this.#resume());
  }

  /** The process ends here and now; nothing reaches it any more. What it has sent is on its way. */
  kill(): void {
    this.#isDead = true;
    this.#waiting = [];
  }

  /** Somebody sets the wall clock. */
  setOffset(offsetMs: number): void {
    this.#defects.offsetMs = offsetMs;
  }

  #arm(delayMs: number, wake: () => void): void {
    this.#scheduler.after(delayMs / this.#defects.rate, () => this.deliver(wake));
  }

  #resume(): void {
    if (this.#isDead) {
      return;
    }
    if (this.#halt === 'suspended') {
      this.#anchorTrueMs = this.#scheduler.nowMs;
    }
    this.#halt = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const fire of waiting) {
      this.#scheduler.after(0, () => this.deliver(fire));
    }
  }

  #anchor(): void {
    this.#anchorMonotonicMs = this.monotonicMs();
    this.#anchorTrueMs = this.#scheduler.nowMs;
  }
}
