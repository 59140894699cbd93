// How many keys that we do not know one network address may have looked up: a token bucket each. A key that turns out to be good costs
// nothing, so a thousand agents behind one address get in together after a takeover; a guesser pays for each guess.
import { LruCache } from './lru-cache.ts';

/** Lookups in a row: the agents of a large cluster that come through one NAT gateway, several times over. */
const BURST = 2_000;
const PER_SECOND = 10;
/** Addresses that are remembered, a hundred bytes or so each. A flood from more of them meets the bound on lookups in flight. */
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

  /** Takes one lookup. @returns 0, or after how many milliseconds the address may try again */
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

  /** Gives one lookup back. */
  refund(address: string): void {
    const bucket = this.#buckets.get(address);
    if (bucket !== undefined) {
      bucket.tokens = Math.min(this.#limits.burst, bucket.tokens + 1);
    }
  }
}
