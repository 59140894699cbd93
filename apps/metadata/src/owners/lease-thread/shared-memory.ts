// What the lease thread and the main thread tell each other without a message, so that one that is blocked holds up nothing. A word is a
// whole number of microseconds: 64-bit integers are the widest that JavaScript reads and writes in one piece.
import { type DatabaseReading, databaseMsAt } from '../database-clock.ts';
import type { Moment } from '../host-times.ts';

const WORD_BYTES = BigInt64Array.BYTES_PER_ELEMENT;

function store(words: BigInt64Array, index: number, ms: number): void {
  Atomics.store(words, index, BigInt(Math.floor(ms * 1_000)));
}

function load(words: BigInt64Array, index: number): number {
  return Number(Atomics.load(words, index)) / 1_000;
}

/** Up to when one lease certainly holds. The thread writes it, the main thread reads it. */
export class SharedDeadline {
  readonly buffer: SharedArrayBuffer;
  readonly #words: BigInt64Array;

  constructor(buffer = new SharedArrayBuffer(3 * WORD_BYTES)) {
    this.buffer = buffer;
    this.#words = new BigInt64Array(buffer);
  }

  /** A reader may see some of these and the rest of an earlier deadline. Each of the three alone bounds the lease, so it is never misled. */
  write({ monotonicMs, wallMs, bootMs }: Moment): void {
    store(this.#words, 0, monotonicMs);
    store(this.#words, 1, wallMs);
    store(this.#words, 2, bootMs);
  }

  /** Before the first write: the start of all clocks, which is over. */
  read(): Moment {
    return { monotonicMs: load(this.#words, 0), wallMs: load(this.#words, 1), bootMs: load(this.#words, 2) };
  }
}

const DATABASE = 0;
const CLOCK_ERROR = 1;
const HEARTBEAT = 2;

export class SharedTimes {
  readonly buffer: SharedArrayBuffer;
  readonly #words: BigInt64Array;

  constructor(buffer = new SharedArrayBuffer(3 * WORD_BYTES)) {
    this.buffer = buffer;
    this.#words = new BigInt64Array(buffer);
  }

  /** The thread has read the database's clock. One word holds the reading: what it comes to when the monotonic clock is at 0. */
  writeDatabase(reading: DatabaseReading, clockErrorMs: number): void {
    store(this.#words, CLOCK_ERROR, clockErrorMs);
    store(this.#words, DATABASE, databaseMsAt(reading, 0));
  }

  /** The database's clock as last read. */
  get database(): DatabaseReading | undefined {
    const databaseMs = load(this.#words, DATABASE);
    return databaseMs === 0 ? undefined : { databaseMs, monotonicMs: 0 };
  }

  get clockErrorMs(): number {
    return load(this.#words, CLOCK_ERROR);
  }

  /** The main thread gives a sign of life, at this moment of the monotonic clock that both threads read. */
  beat(monotonicMs: number): void {
    store(this.#words, HEARTBEAT, monotonicMs);
  }

  /** For how long the main thread has given no sign of life. */
  silentMs(monotonicMs: number): number {
    return monotonicMs - load(this.#words, HEARTBEAT);
  }
}
