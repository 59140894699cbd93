// One connection at a time, to one broker after the other.
import { RawConnection } from './raw-connection.ts';

/** How long a broker may take to answer, unless a request says so itself. */
export const patience_ms = 5_000;
/** Readers change the broker after this, so that what one has told is held against the other. */
const changeAfter_ms = 3_000;

export function delay(duration_ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, duration_ms));
}

export class RawBroker {
  readonly #bootstraps: readonly string[];
  #index: number;
  #connection: RawConnection | undefined;
  #openedAt_ms = 0;

  constructor(bootstraps: readonly string[], index = 0) {
    this.#bootstraps = bootstraps;
    this.#index = index;
  }

  /** @throws what `work` throws; the next call goes to the next broker then */
  async use<T>(work: (connection: RawConnection) => Promise<T>): Promise<T> {
    try {
      if (this.#connection === undefined) {
        this.#openedAt_ms = Date.now();
        const bootstrap = this.#bootstraps[this.#index % this.#bootstraps.length] ?? '';
        this.#connection = await RawConnection.open(bootstrap, patience_ms);
      }
      return await work(this.#connection);
    } catch (error) {
      this.change();
      throw error;
    }
  }

  changeWhenDue(): void {
    if (Date.now() - this.#openedAt_ms > changeAfter_ms) {
      this.change();
    }
  }

  change(): void {
    this.#connection?.close();
    this.#connection = undefined;
    this.#index += 1;
  }
}
