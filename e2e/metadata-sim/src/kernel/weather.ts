// How often each fault happens. Each seed has its own weather, in which some faults are frequent and others never happen: a fault that
// happens all the time hides defects that only appear without it.
import type { Random } from './random.ts';

/** Chances of 0 to 1, each per occasion. */
const MOST = {
  /** An agent's call never arrives. */
  requestLost: 0.04,
  /** The call is executed, and its answer is lost. */
  answerLost: 0.05,
  /** The call arrives twice. */
  requestRepeated: 0.06,
  /** The call, or its answer, takes up to some seconds. */
  messageDelayed: 0.08,
  /** A watch stream breaks with an event. */
  streamBroken: 0.02,
  /** PostgreSQL takes up to some seconds. */
  queryDelayed: 0.03,
  /** The connection breaks before an append reaches the journal. */
  appendLost: 0.01,
  /** The connection breaks after the append was stored. */
  appendAnswerLost: 0.01,
  /** The connection breaks, and the append is stored later, when the owner has given up on it. */
  appendLate: 0.015,
  /** Any other query fails. */
  queryFailed: 0.02,
  /** A process pauses for up to some seconds before it handles what has reached it. */
  processPaused: 0.0006,
  /** Object storage refuses a write, a read or a deletion. */
  objectFailed: 0.06,
  /** Object storage executes the request, and its answer is lost. */
  objectAnswerLost: 0.04,
  /** Object storage takes up to half a minute. */
  objectDelayed: 0.04,
  /** Object storage stores a write minutes after the agent has given up on it. */
  objectLate: 0.01,
} as const;

export type Fault = keyof typeof MOST;

export class Weather {
  readonly #random: Random;
  readonly #chances: ReadonlyMap<Fault, number>;
  #isCalm = false;

  constructor(random: Random) {
    this.#random = random;
    // Half of the faults, each with its own frequency.
    const faults = Object.keys(MOST) as Fault[];
    this.#chances = new Map(
      faults.map((fault) => [fault, random.chance(0.5) ? (MOST[fault] * random.below(101)) / 100 : 0]),
    );
  }

  /** Whether the fault happens now. */
  strikes(fault: Fault): boolean {
    return !this.#isCalm && this.#random.chance(this.#chances.get(fault) ?? 0);
  }

  /** Milliseconds, mostly near the lower bound. */
  delay(leastMs: number, mostMs: number): number {
    const share = this.#random.below(1_000) / 1_000;
    return leastMs + (mostMs - leastMs) * share * share;
  }

  /** Stops all faults from now on. */
  calm(): void {
    this.#isCalm = true;
  }
}
