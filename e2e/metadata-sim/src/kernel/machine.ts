// One machine with one process: a clock that may be wrong, and a processor that may pause or die. Everything that reaches a process
// (timers, answers, requests) reaches it through its machine.
import type { HostClock } from '@penstock/metadata/simulation';
import type { Scheduler } from './scheduler.ts';

export interface ClockDefects {
  /** Ticks per tick of true time. */
  rate: number;
  /** How far the wall clock is ahead. */
  offsetMs: number;
}

/**
 * `stopped`: the monotonic clock continues, as under SIGSTOP or during a long garbage collection. `suspended`: it stops, as in a suspended
 * virtual machine.
 */
export type Halt = 'stopped' | 'suspended';

/** The monotonic clock's arbitrary start. */
const FIRST_TICK_MS = 1_000;

export class Machine implements HostClock {
  readonly name: string;
  readonly #scheduler: Scheduler;
  readonly #defects: ClockDefects;
  /** Called before anything reaches the process. Returns how long the process pauses first. */
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
      // The clock stood still meanwhile. Less than a microsecond is a rounding error.
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

  /** Delivers something to the process: at once, when it runs again, or never. */
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

  /** Pauses for this long. */
  halt(kind: Halt, forMs: number): void {
    if (this.#isDead || this.#halt !== undefined) {
      return;
    }
    this.#anchor();
    this.#halt = kind;
    this.#scheduler.after(forMs, () => this.#resume());
  }

  /** Kills the process: nothing reaches it any more. What it has sent is still delivered. */
  kill(): void {
    this.#isDead = true;
    this.#waiting = [];
  }

  /** Sets the wall clock. */
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
