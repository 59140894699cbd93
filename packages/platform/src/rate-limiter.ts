// A fixed window per caller. Within a twentieth of the quota a process decides by itself, so most callers cost no I/O.
// Beyond that, it borrows slices from a budget that all processes share. So a caller gets at most the quota, plus a
// twentieth for each further process. Headers follow the IETF draft "RateLimit header fields for HTTP".

export interface RateVerdict {
  readonly allowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Loan {
  /** How many further requests this process may let through. 0: the quota is used up. */
  granted: number;
  /** The tokens that all processes have taken in this window, including this loan. */
  taken: number;
  /** Until the window ends, at least 1. */
  leftMs: number;
}

/** A budget that all processes share. */
export interface SharedBudget {
  /** @param request.spent what this process let through without asking, since it last asked */
  borrow(request: {
    policy: string;
    caller: string;
    quota: number;
    windowMs: number;
    spent: number;
    wanted: number;
  }): Promise<Loan>;
}

interface Window {
  endMs: number;
  used: number;
  /** How many requests this process may let through without asking. */
  allowance: number;
  /** How many of the used ones the shared budget knows. */
  reported: number;
  /** The tokens that all processes have taken; null before the first loan. */
  taken: number | null;
  isFull: boolean;
  loan: Promise<void> | null;
}

export interface RateLimiterOptions {
  /** Absent: every process has a quota of its own. */
  shared?: SharedBudget | undefined;
  /** The shared budget failed. Until the window ends, this process has a quota of its own for the caller. */
  onProblem?: (error: unknown) => void;
  maxCallers?: number;
}

/** Callers that a process counts one by one. */
const MAX_CALLERS = 10_000;
/** Further ones share this many counts. */
const SHARED_COUNTS = 1_024;

/** The part of a quota that a process may let through without asking, and borrows at once. */
const SLICE_DIVISOR = 20;

export class RateLimiter {
  readonly #windows = new Map<string, Window>();
  readonly #quota: number;
  readonly #windowMs: number;
  readonly #policy: string;
  readonly #options: RateLimiterOptions;

  /** @param policy the name of the quota in the headers */
  constructor(policy: string, quota: number, windowMs: number, options: RateLimiterOptions = {}) {
    this.#policy = policy;
    this.#quota = quota;
    this.#windowMs = windowMs;
    this.#options = options;
  }

  /** Counts one request of a caller at this time, in milliseconds. */
  async take(caller: string, nowMs: number): Promise<RateVerdict> {
    for (;;) {
      const window = this.#windowOf(caller, nowMs);
      const allowed = window.used < window.allowance;
      if (allowed || window.isFull) {
        window.used += allowed ? 1 : 0;
        return this.#verdict(window, allowed, nowMs);
      }
      // Concurrent requests of the caller wait for one loan.
      window.loan ??= this.#borrow(this.#keyOf(caller, nowMs), window, nowMs).finally(() => {
        window.loan = null;
      });
      await window.loan;
    }
  }

  /** The verdict on a caller whose quota is used up, without counting a request; undefined if there may be some left. */
  exhausted(caller: string, nowMs: number): RateVerdict | undefined {
    const window = this.#windows.get(this.#keyOf(caller, nowMs));
    const isUsedUp = window !== undefined && nowMs < window.endMs && window.isFull && window.used >= window.allowance;
    return isUsedUp ? this.#verdict(window, false, nowMs) : undefined;
  }

  /**
   * The caller, while there is room to count it by itself. In a flood of callers, the ones that came first keep their counts, and later ones
   * share a fixed number of counts.
   */
  #keyOf(caller: string, nowMs: number): string {
    if (this.#windows.has(caller)) {
      return caller;
    }
    this.#forgetEnded(nowMs);
    return this.#windows.size < (this.#options.maxCallers ?? MAX_CALLERS) ? caller : sharedKey(caller);
  }

  #windowOf(caller: string, nowMs: number): Window {
    const key = this.#keyOf(caller, nowMs);
    const known = this.#windows.get(key);
    if (known !== undefined && nowMs < known.endMs) {
      return known;
    }
    this.#windows.delete(key);
    const isShared = this.#options.shared !== undefined;
    const window = {
      endMs: nowMs + this.#windowMs,
      used: 0,
      allowance: isShared ? this.#slice : this.#quota,
      reported: 0,
      taken: null,
      isFull: !isShared,
      loan: null,
    };
    this.#windows.set(key, window);
    return window;
  }

  get #slice(): number {
    return Math.floor(this.#quota / SLICE_DIVISOR);
  }

  async #borrow(caller: string, window: Window, nowMs: number): Promise<void> {
    const { shared, onProblem } = this.#options;
    const spent = window.used - window.reported;
    try {
      const loan = await shared?.borrow({
        policy: this.#policy,
        caller,
        quota: this.#quota,
        windowMs: this.#windowMs,
        spent,
        wanted: Math.max(1, this.#slice),
      });
      if (loan !== undefined) {
        // What is borrowed counts as reported.
        window.reported = window.used + loan.granted;
        window.allowance = window.used + loan.granted;
        window.taken = loan.taken;
        window.isFull = loan.granted === 0;
        window.endMs = nowMs + loan.leftMs;
      }
    } catch (error) {
      onProblem?.(error);
      window.allowance = Math.max(window.used, this.#quota);
      window.isFull = true;
    }
  }

  #verdict(window: Window, allowed: boolean, nowMs: number): RateVerdict {
    const left =
      window.taken === null ? this.#quota - window.used : this.#quota - window.taken + window.allowance - window.used;
    const resetSeconds = Math.ceil((window.endMs - nowMs) / 1000);
    return {
      allowed,
      headers: {
        'RateLimit-Policy': `"${this.#policy}";q=${this.#quota};w=${Math.round(this.#windowMs / 1000)}`,
        RateLimit: `"${this.#policy}";r=${Math.max(0, left)};t=${resetSeconds}`,
        ...(allowed ? {} : { 'Retry-After': String(resetSeconds) }),
      },
    };
  }

  /** Windows are in the order in which they began, and nearly in that of their ends. */
  #forgetEnded(nowMs: number): void {
    for (const [key, { endMs }] of this.#windows) {
      if (nowMs < endMs) {
        return;
      }
      this.#windows.delete(key);
    }
  }
}

/** One of the counts that callers share when there are too many. */
function sharedKey(caller: string): string {
  let hash = 0;
  for (let at = 0; at < caller.length; at += 1) {
    hash = (Math.imul(hash, 31) + caller.charCodeAt(at)) >>> 0;
  }
  return `others-${hash % SHARED_COUNTS}`;
}
