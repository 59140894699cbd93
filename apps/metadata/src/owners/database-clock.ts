// The one clock that decides: PostgreSQL's, read with each lease, and advanced by this process's monotonic clock in between. It never
// passes the database's own, and it tells how far this host's wall clock is off.
import type { Moment } from './host-times.ts';

/** How much faster than the database's clock this host's monotonic one may run, at most: crystals are off by 0.02 %, and NTP slews by 0.05 %. */
const MAX_RATE_ERROR = 0.001;
/** A host whose wall clock is further off than this owns nothing. */
export const MAX_CLOCK_ERROR_MS = 5_000;

type HostMoment = Pick<Moment, 'monotonicMs' | 'wallMs'>;

/** What the database's clock said, and the monotonic clock of this host when the answer was there. */
export interface DatabaseReading {
  databaseMs: number;
  monotonicMs: number;
}

export class DatabaseClock {
  #reading: DatabaseReading | undefined;
  #hostErrorMs = 0;

  /** Whether the database's clock was read at all. Before that there is no time. */
  get isSet(): boolean {
    return this.#reading !== undefined;
  }

  /** How far this host's wall clock is ahead of the database's, at least; negative: behind. The time of the call is allowed for. */
  get hostErrorMs(): number {
    return this.#hostErrorMs;
  }

  get isHostOff(): boolean {
    return Math.abs(this.#hostErrorMs) > MAX_CLOCK_ERROR_MS;
  }

  /**
   * Takes in a reading of the database's clock.
   * @param databaseMs was read at some moment between `sent` and `received`
   */
  read(databaseMs: number, sent: HostMoment, received: HostMoment): void {
    const [atLeastAheadMs, atLeastBehindMs] = [sent.wallMs - databaseMs, databaseMs - received.wallMs];
    this.#hostErrorMs = atLeastAheadMs > 0 ? atLeastAheadMs : Math.min(0, -atLeastBehindMs);
    // Both the estimate so far and the new reading are lower bounds of the database's clock, so the later one is the better, and time
    // does not go back because an answer took longer. Unless the database's clock did: at the call it was later than it is now.
    const last = this.#reading;
    const estimateMs = last === undefined ? databaseMs : databaseMsAt(last, received.monotonicMs);
    // An answer that an earlier call waited for long cannot tell.
    const canTell = last !== undefined && sent.monotonicMs >= last.monotonicMs;
    const hasGoneBack = canTell && Math.floor(databaseMsAt(last, sent.monotonicMs)) > databaseMs;
    this.#reading = {
      databaseMs: hasGoneBack ? databaseMs : Math.max(databaseMs, estimateMs),
      monotonicMs: received.monotonicMs,
    };
  }

  /** The database's time, as late as is certain, in whole milliseconds since the Unix epoch. */
  nowMs(monotonicMs: number): number {
    if (this.#reading === undefined) {
      throw new Error('the clock of the database has not been read yet');
    }
    return Math.floor(databaseMsAt(this.#reading, monotonicMs));
  }

  /** The reading to compute `nowMs` from in another thread (see `databaseMsAt`). */
  get reading(): Readonly<DatabaseReading> | undefined {
    return this.#reading;
  }
}

/** The database's time at a later moment, as late as is certain. */
export function databaseMsAt(reading: DatabaseReading, monotonicMs: number): number {
  return reading.databaseMs + (monotonicMs - reading.monotonicMs) * (1 - MAX_RATE_ERROR);
}
