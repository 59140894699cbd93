// A fixed window per caller, in this process's memory. Each additional web process adds another quota. That is
// intended, because the quota protects the process's own processor. Headers follow the IETF draft "RateLimit header
// fields for HTTP".

export interface RateVerdict {
  readonly allowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}
interface Window {
  startMs: number;
  used: number;
}

export class RateLimiter {
  readonly #windows = new Map<string, Window>();
  readonly #quota: number;
  readonly #windowMs: number;
  readonly #maxCallers: number;
  readonly #policy: string;

  /** @param policy the name of the quota in the headers */
  constructor(policy: string, quota: number, windowMs: number, maxCallers = 10_000) {
    this.#policy = policy;
    this.#quota = quota;
    this.#windowMs = windowMs;
    this.#maxCallers = maxCallers;
  }

  /** Counts one request of a caller at this time, in milliseconds. */
  take(caller: string, nowMs: number): RateVerdict {
    let window = this.#windows.get(caller);
    if (window === undefined || nowMs - window.startMs >= this.#windowMs) {
      this.#windows.delete(caller);
      this.#forgetOldest();
      window = { startMs: nowMs, used: 0 };
      this.#windows.set(caller, window);
    }
    const allowed = window.used < this.#quota;
    window.used += allowed ? 1 : 0;
    const resetSeconds = Math.ceil((window.startMs + this.#windowMs - nowMs) / 1000);
    return {
      allowed,
      headers: {
        'RateLimit-Policy': `"${this.#policy}";q=${this.#quota};w=${Math.round(this.#windowMs / 1000)}`,
        RateLimit: `"${this.#policy}";r=${this.#quota - window.used};t=${resetSeconds}`,
        ...(allowed ? {} : { 'Retry-After': String(resetSeconds) }),
      },
    };
  }

  /** Bounds memory: a flood of invented callers evicts the oldest entries. */
  #forgetOldest(): void {
    while (this.#windows.size >= this.#maxCallers) {
      const oldest = this.#windows.keys().next();
      if (oldest.done === true) {
        return;
      }
      this.#windows.delete(oldest.value);
    }
  }
}
