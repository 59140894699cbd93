// Faults of PostgreSQL and of processes that the driver asked for, each for some time. Without one, nothing fails.
import type { Random } from '../kernel/random.ts';
import type { Scheduler } from '../kernel/scheduler.ts';
import type { Fault, Weather } from '../kernel/weather.ts';

interface Spell {
  share: number;
  untilMs: number;
}

export class ScriptedWeather implements Pick<Weather, 'strikes' | 'delay'> {
  readonly #random: Random;
  readonly #scheduler: Scheduler;
  readonly #spells = new Map<Fault, Spell>();

  constructor(random: Random, scheduler: Scheduler) {
    this.#random = random;
    this.#scheduler = scheduler;
  }

  /** From now on and for this long, the fault happens in this share of cases, 0 to 1. */
  begin(fault: Fault, share: number, durationMs: number): void {
    this.#spells.set(fault, { share, untilMs: this.#scheduler.nowMs + durationMs });
  }

  strikes(fault: Fault): boolean {
    const spell = this.#spells.get(fault);
    if (spell === undefined || spell.untilMs <= this.#scheduler.nowMs) {
      return false;
    }
    return this.#random.chance(spell.share);
  }

  /** Whole milliseconds, mostly near the lower bound. */
  delay(leastMs: number, mostMs: number): number {
    const share = this.#random.below(1_000) / 1_000;
    return Math.round(leastMs + (mostMs - leastMs) * share * share);
  }
}
