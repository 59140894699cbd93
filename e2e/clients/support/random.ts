// Random numbers from a seed, so that a run can be repeated.

/** In [0, 1). Mulberry32: small, and the same on every machine. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws values from random numbers. */
export class Random {
  /** Returns a number in [0, 1). */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomNumbers(seed);
  }

  /** An integer in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** @throws Error if there is nothing to pick from */
  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) {
      throw new Error('Nothing to pick from');
    }
    return item;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length: Math.min(length, 4_096) }, () => this.below(256)));
  }

  /** A length or a count: mostly small, sometimes at an extreme. */
  length(most: number): number {
    const extremes = [0, 1, 2, 127, 128, 255, 256, 4_095, 4_096, 16_384, 65_536, 1_048_576];
    const usable = extremes.filter((extreme) => extreme <= most);
    return this.chance(0.8) ? this.below(Math.min(4, most + 1)) : this.pick(usable);
  }
}
