// State that the lease thread and the main thread share without messages, so that neither waits for a blocked one. Each word is a whole
// number of microseconds: 64-bit integers are the widest that JavaScript reads and writes atomically.
import { type DatabaseReading, databaseMsAt } from '../database-clock.ts';
import type { Moment } from '../host-times.ts';

const WORD_BYTES = BigInt64Array.BYTES_PER_ELEMENT;

function store(words: BigInt64Array, index: number, ms: number): void {
  Atomics.store(words, index, BigInt(Math.floor(ms * 1_000)));
}

function load(words: BigInt64Array, index: number): number {
  return Number(Atomics.load(words, index)) / 1_000;
}

/** Until when one lease certainly holds. The lease thread writes it, the main thread reads it. */
export class SharedDeadline {
  readonly buffer: SharedArrayBuffer;
  readonly #words: BigInt64Array;

  constructor(buffer = new SharedArrayBuffer(3 * WORD_BYTES)) {
    this.buffer = buffer;
    this.#words = new BigInt64Array(buffer);
  }

  /**
   * A reader may see some of these values and the rest of an earlier deadline. Each of the three alone bounds the lease, so that is safe.
   */
  write({ monotonicMs, wallMs, bootMs }: Moment): void {
    store(this.#words, 0, monotonicMs);
    store(this.#words, 1, wallMs);
    store(this.#words, 2, bootMs);
  }

  /** Before the first write: the origin of all clocks, which is in the past. */
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

  /** Stores a reading of the database's clock. One word holds it, extrapolated to the monotonic clock's 0. */
  writeDatabase(reading: DatabaseReading, clockErrorMs: number): void {
    store(this.#words, CLOCK_ERROR, clockErrorMs);
    store(this.#words, DATABASE, databaseMsAt(reading, 0));
  }

  /** The latest reading of the database's clock. */
  get database(): DatabaseReading | undefined {
    const databaseMs = load(this.#words, DATABASE);
    return databaseMs === 0 ? undefined : { databaseMs, monotonicMs: 0 };
  }

  get clockErrorMs(): number {
    return load(this.#words, CLOCK_ERROR);
  }

  /** The main thread shows that it is alive, at this moment of the monotonic clock that both threads read. */
  beat(monotonicMs: number): void {
    store(this.#words, HEARTBEAT, monotonicMs);
  }

  /** How long the main thread has been silent. */
  silentMs(monotonicMs: number): number {
    return monotonicMs - load(this.#words, HEARTBEAT);
  }
}
