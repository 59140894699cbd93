// Sends users, ACLs and quotas to the watch streams after each change. They are sent whole, so changes in close succession share an event,
// and large states are sent less often.
import type { SecurityDescription } from '@penstock/metadata-core';
import type { Clock } from './clock.ts';
import type { WatchStream } from './watch-stream.ts';

/** The shortest time between two events. The first change after a quiet time is sent at once. */
const PACE_MS = 100;
/** Longer by this for each credential, ACL and quota: at most 1.7 s, which leaves a revoked one no 3 s on any agent. */
const PACE_MS_PER_ENTRY = 0.1;

export interface SecurityNewsOptions {
  clock: Pick<Clock, 'after'>;
  /** Resolves once what it read is durable. */
  read: () => Promise<SecurityDescription>;
  streams: () => Iterable<WatchStream>;
}

export class SecurityNews {
  readonly #options: SecurityNewsOptions;
  #isDue = false;
  #isSending = false;
  #isStopped = false;

  constructor(options: SecurityNewsOptions) {
    this.#options = options;
  }

  /** A change is durable: sends the state now, or as soon as the last event is long enough ago. */
  changed(): void {
    this.#isDue = true;
    if (!this.#isSending) {
      this.#isSending = true;
      void this.#send();
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #send(): Promise<void> {
    while (this.#isDue && !this.#isStopped) {
      this.#isDue = false;
      const entries = await this.#sendOnce();
      await this.#pause(PACE_MS + entries * PACE_MS_PER_ENTRY);
    }
    this.#isSending = false;
  }

  /** Returns the number of entries that were sent. */
  async #sendOnce(): Promise<number> {
    const { read, streams } = this.#options;
    try {
      const security = await read();
      for (const stream of streams()) {
        stream.pushSecurity(security);
      }
      return security.credentials.length + security.acls.length + security.quotas.length;
    } catch {
      // The owner isn't sure of its lease, or has closed. In the first case it sends the state once it is sure again.
      this.#isDue = true;
      return 0;
    }
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#options.clock.after(delayMs, resolve);
    });
  }
}
