// One connection at a time, to one broker after the other.
import { RawConnection } from './raw-connection.ts';

/** How long a broker may take to answer, unless a request says so itself. */
export const PATIENCE_MS = 5_000;
/** Readers change the broker after this, so that what one has told is held against the other. */
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

  /** @throws what `work` throws; the next call goes to the next broker then */
  async use<T>(work: (connection: RawConnection) => Promise<T>): Promise<T> {
    try {
      if (this.#connection === undefined) {
        this.#openedAtMs = Date.now();
        const bootstrap = this.#bootstraps[this.#index % this.#bootstraps.length] ?? '';
        this.#connection = await RawConnection.open(bootstrap, PATIENCE_MS);
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
