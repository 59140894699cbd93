// The bytes of requests that this process holds: being received, waiting for their turn, or being served. They are taken before a body is
// read, so that no tenant can fill the memory that all share.
import type { Share } from './tenants.ts';

/** How many bytes may be held at once: of all, of one tenant, of one organization. */
export type ByteLimits = readonly [all: number, tenant: number, organization: number];

const MIB = 1024 * 1024;
const LEAST_BYTES = 128 * MIB;
const SHARE_OF_MEMORY = 1 / 8;

/** One tenant can hold half of it, and one organization a quarter: at least the largest request. */
export function byteLimitsOf(memoryMib: number): ByteLimits {
  const all = Math.max(LEAST_BYTES, memoryMib * MIB * SHARE_OF_MEMORY);
  return [all, all / 2, all / 4];
}

export class BytesInFlight {
  readonly #limits: ByteLimits;
  /** By level and name. An entry goes when it holds nothing. */
  readonly #held = new Map<string, number>();
  #refused = 0;

  constructor(limits: ByteLimits) {
    this.#limits = limits;
  }

  /** Bytes in flight, for metrics. */
  get bytes(): number {
    return this.#held.get('all') ?? 0;
  }

  /** Requests that were refused; for metrics. */
  get refused(): number {
    return this.#refused;
  }

  /** @returns undefined when there is no room */
  take([tenant, organization]: Share, bytes: number): HeldBytes | undefined {
    const held = new HeldBytes(this, ['all', `tenant ${tenant}`, `organization ${organization}`]);
    return held.grow(bytes) ? held : undefined;
  }

  /** @returns false, and changes nothing, when there is no room */
  add(names: readonly string[], bytes: number): boolean {
    const isFull = names.some((name, level) => (this.#held.get(name) ?? 0) + bytes > (this.#limits[level] ?? 0));
    if (isFull && bytes > 0) {
      this.#refused += 1;
      return false;
    }
    for (const name of names) {
      const held = (this.#held.get(name) ?? 0) + bytes;
      if (held > 0) {
        this.#held.set(name, held);
      } else {
        this.#held.delete(name);
      }
    }
    return true;
  }
}

/** The bytes held by one request. */
export class HeldBytes {
  readonly #all: BytesInFlight;
  readonly #names: readonly string[];
  #bytes = 0;

  constructor(all: BytesInFlight, names: readonly string[]) {
    this.#all = all;
    this.#names = names;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @returns false when there is no room */
  grow(bytes: number): boolean {
    if (!this.#all.add(this.#names, bytes)) {
      return false;
    }
    this.#bytes += bytes;
    return true;
  }

  /** May be called again. */
  release(): void {
    this.#all.add(this.#names, -this.#bytes);
    this.#bytes = 0;
  }
}
