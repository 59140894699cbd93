// How long commits take, for /metrics, over all clusters of a process.
import { Durations, type Family } from '@penstock/telemetry';

/** An append takes some milliseconds, and the time-out of agents is far beyond the last bound. */
const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class CommitTimes {
  readonly #appends = new Durations(['outcome'] as const, BOUNDS_SECONDS);
  readonly #commits = new Durations([], BOUNDS_SECONDS);

  /** The journal answered. An append whose outcome is unknown counts as failed. */
  appended(durationMs: number, isDurable: boolean): void {
    this.#appends.record(durationMs / 1_000, isDurable ? 'durable' : 'failed');
  }

  /** A batch became durable this long after its first command. */
  committed(durationMs: number): void {
    this.#commits.record(durationMs / 1_000);
  }

  families(): Family[] {
    return [
      this.#appends.family(
        'penstock_metadata_append_seconds',
        'How long PostgreSQL took to append a journal entry: durable, or failed.',
      ),
      this.#commits.family(
        'penstock_metadata_commit_seconds',
        'From the first command of a journal entry until it is durable, the append before it included.',
      ),
    ];
  }
}
