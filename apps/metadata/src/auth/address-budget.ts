// Limits how many unknown keys one network address can have looked up: one token bucket per address. A lookup that finds a valid key is
// refunded, so a thousand agents behind one address reconnect at once after a takeover, while someone guessing keys pays for each guess.
import { LruCache } from './lru-cache.ts';

/** Burst size: enough for all agents of a large cluster behind one NAT gateway, several times over. */
const BURST = 2_000;
const PER_SECOND = 10;
/** Addresses to remember, at about a hundred bytes each. The limit on lookups in flight bounds a flood from more addresses than this. */
const MAX_ADDRESSES = 20_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

export interface AddressBudgetLimits {
  burst: number;
  perSecond: number;
  maxAddresses: number;
}

export class AddressBudget {
  readonly #limits: AddressBudgetLimits;
  readonly #buckets: LruCache<string, Bucket>;

  constructor(limits: AddressBudgetLimits = { burst: BURST, perSecond: PER_SECOND, maxAddresses: MAX_ADDRESSES }) {
    this.#limits = limits;
    this.#buckets = new LruCache(limits.maxAddresses);
  }

  /** Takes one token. @returns 0, or the number of milliseconds after which the address may try again */
  take(address: string, nowMs: number): number {
    const { burst, perSecond } = this.#limits;
    let bucket = this.#buckets.get(address);
    if (bucket === undefined) {
      bucket = { tokens: burst, atMs: nowMs };
      this.#buckets.set(address, bucket);
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) * perSecond) / 1_000);
    bucket.atMs = nowMs;
    if (bucket.tokens < 1) {
      return Math.ceil(((1 - bucket.tokens) * 1_000) / perSecond);
    }
    bucket.tokens -= 1;
    return 0;
  }

  /** Returns one token to the address's budget. */
  refund(address: string): void {
    const bucket = this.#buckets.get(address);
    if (bucket !== undefined) {
      bucket.tokens = Math.min(this.#limits.burst, bucket.tokens + 1);
    }
  }
}
