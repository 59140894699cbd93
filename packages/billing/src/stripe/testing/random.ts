// A seeded random source: the same seed gives the same sequence.

export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** True with this probability. */
  chance(share: number): boolean;
  /** An integer from 0 to below the bound. */
  below(bound: number): number;
}

/** A seeded Mulberry32 generator. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, chance: (share) => next() < share, below: (bound) => Math.floor(next() * bound) };
}
