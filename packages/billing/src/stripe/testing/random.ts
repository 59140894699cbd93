// A seeded source of chance: one seed is one course of events.

export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** True in that share of the cases. */
  chance(share: number): boolean;
  /** A whole number from 0 to below the bound. */
  below(bound: number): number;
}

/** Mulberry32. */
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
