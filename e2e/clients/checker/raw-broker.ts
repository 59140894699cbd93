// One connection at a time, to the brokers in turn.
import { RawConnection } from '../support/raw-connection.ts';

/** The response timeout, unless a request sets its own. */
export const TIMEOUT_MS = 5_000;
/** Readers switch brokers after this time, so that the brokers' responses can be compared. */
const CHANGE_AFTER_MS = 3_000;

export function delay(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}

export class RawBroker {
  readonly #bootstraps: readonly string[];
  #index: number;
  #connection: RawConnection | undefined;
  #openedAtMs = 0;

  constructor(bootstraps: readonly string[], index = 0) {
    this.#bootstraps = bootstraps;
    this.#index = index;
  }

  /** @throws what `work` throws; the next call uses the next broker */
  async use<T>(work: (connection: RawConnection) => Promise<T>): Promise<T> {
    try {
      if (this.#connection === undefined) {
        this.#openedAtMs = Date.now();
        const bootstrap = this.#bootstraps[this.#index % this.#bootstraps.length] ?? '';
        this.#connection = await RawConnection.open(bootstrap, TIMEOUT_MS);
      }
      return await work(this.#connection);
    } catch (error) {
      this.change();
      throw error;
    }
  }

  changeWhenDue(): void {
    if (Date.now() - this.#openedAtMs > CHANGE_AFTER_MS) {
      this.change();
    }
  }

  change(): void {
    this.#connection?.close();
    this.#connection = undefined;
    this.#index += 1;
  }
}
