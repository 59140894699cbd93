// The clock that owners decide by: PostgreSQL's. It is read with each lease renewal, and advanced by this process's monotonic clock in
// between. The estimate never passes the database's own clock. It also measures how far this host's wall clock is off.
import type { Moment } from './host-times.ts';

/**
 * How much faster this host's monotonic clock may run than the database's, at most: crystals are off by 0.02 %, and NTP slews by 0.05 %.
 */
const MAX_RATE_ERROR = 0.001;
/** A host whose wall clock is off by more than this owns no clusters. */
export const MAX_CLOCK_ERROR_MS = 5_000;

type HostMoment = Pick<Moment, 'monotonicMs' | 'wallMs'>;

/** A reading of the database's clock, and this host's monotonic clock when the answer arrived. */
export interface DatabaseReading {
  databaseMs: number;
  monotonicMs: number;
}

export class DatabaseClock {
  #reading: DatabaseReading | undefined;
  #hostErrorMs = 0;

  /** Whether the database's clock has been read. Before that there is no time. */
  get isSet(): boolean {
    return this.#reading !== undefined;
  }

  /** How far this host's wall clock is ahead of the database's, at least; negative when behind. Excludes the duration of the call. */
  get hostErrorMs(): number {
    return this.#hostErrorMs;
  }

  get isHostOff(): boolean {
    return Math.abs(this.#hostErrorMs) > MAX_CLOCK_ERROR_MS;
  }

  /**
   * Records a reading of the database's clock.
   * @param databaseMs was read at some moment between `sent` and `received`
   */
  read(databaseMs: number, sent: HostMoment, received: HostMoment): void {
    const [atLeastAheadMs, atLeastBehindMs] = [sent.wallMs - databaseMs, databaseMs - received.wallMs];
    this.#hostErrorMs = atLeastAheadMs > 0 ? atLeastAheadMs : Math.min(0, -atLeastBehindMs);
    // The current estimate and the new reading are both lower bounds of the database's clock, so the later one is closer, and time does not
    // go back because an answer was slow. The exception is a database whose clock went back: at the call its clock was later than it is
    // now.
    const last = this.#reading;
    const estimateMs = last === undefined ? databaseMs : databaseMsAt(last, received.monotonicMs);
    // A reading sent before the last one arrived cannot show that.
    const canTell = last !== undefined && sent.monotonicMs >= last.monotonicMs;
    const hasGoneBack = canTell && Math.floor(databaseMsAt(last, sent.monotonicMs)) > databaseMs;
    this.#reading = {
      databaseMs: hasGoneBack ? databaseMs : Math.max(databaseMs, estimateMs),
      monotonicMs: received.monotonicMs,
    };
  }

  /** The database's time in whole milliseconds since the Unix epoch: the latest that it is certain to have reached. */
  nowMs(monotonicMs: number): number {
    if (this.#reading === undefined) {
      throw new Error('the clock of the database has not been read yet');
    }
    return Math.floor(databaseMsAt(this.#reading, monotonicMs));
  }

  /** The reading from which another thread can compute `nowMs` (see `databaseMsAt`). */
  get reading(): Readonly<DatabaseReading> | undefined {
    return this.#reading;
  }
}

/** The database's time at a later moment: the latest that it is certain to have reached. */
export function databaseMsAt(reading: DatabaseReading, monotonicMs: number): number {
  return reading.databaseMs + (monotonicMs - reading.monotonicMs) * (1 - MAX_RATE_ERROR);
}
