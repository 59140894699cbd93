// Deterministic random numbers from a seed: xoshiro128** (Blackman and Vigna, 2018), seeded through SplitMix32.

export class Random {
  readonly #words = new Uint32Array(4);

  constructor(seed: number) {
    let state = seed >>> 0;
    for (let word = 0; word < 4; word += 1) {
      state = (state + 0x9e37_79b9) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 16), 0x21f0_aaad);
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
      this.#words[word] = mixed ^ (mixed >>> 15);
    }
  }

  /** 0 to 2^32 - 1. */
  next(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.#words;
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const c2 = c ^ a;
    const d2 = d ^ b;
    this.#words[1] = b ^ c2;
    this.#words[0] = a ^ d2;
    this.#words[2] = c2 ^ (b << 9);
    this.#words[3] = (d2 << 11) | (d2 >>> 21);
    return result;
  }

  /** A whole number from 0 to `end` - 1. */
  below(end: number): number {
    return this.next() % end;
  }

  /** True in this share of cases, 0 to 1. */
  chance(share: number): boolean {
    return this.next() < share * 2 ** 32;
  }

  /** One of the items; undefined when there is none. */
  pick<T>(items: readonly T[]): T | undefined {
    return items.length === 0 ? undefined : items[this.below(items.length)];
  }

  /** Returns an id of 16 bytes. */
  id(): Uint8Array {
    return Uint8Array.from({ length: 16 }, () => this.below(256));
  }

  /** A UUIDv7 with this timestamp. */
  fileId(timeMs: number): Uint8Array {
    const bytes = this.id();
    for (let at = 5, rest = timeMs; at >= 0; at -= 1) {
      bytes[at] = rest % 256;
      rest = Math.floor(rest / 256);
    }
    bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
    bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
    return bytes;
  }
}
