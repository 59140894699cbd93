// Remembers credentials that were good a moment ago, by their hash, so that a flood of wrong ones from the same network does not hold them
// up.
import { createHash } from 'node:crypto';

const MAX_REMEMBERED = 10_000;

export class KnownCredentials {
  /** In the order of their last use. */
  readonly #hashes = new Set<string>();
  readonly #most: number;

  constructor(most = MAX_REMEMBERED) {
    this.#most = most;
  }

  has(credential: string): boolean {
    return this.#hashes.has(hashOf(credential));
  }

  /** The credential was just found good. The one that was not used for the longest time is forgotten for it. */
  add(credential: string): void {
    const hash = hashOf(credential);
    this.#hashes.delete(hash);
    this.#hashes.add(hash);
    if (this.#hashes.size > this.#most) {
      const [oldest = ''] = this.#hashes;
      this.#hashes.delete(oldest);
    }
  }

  /** The credential was just found wrong, e.g. because it was revoked. */
  remove(credential: string): void {
    this.#hashes.delete(hashOf(credential));
  }
}

function hashOf(credential: string): string {
  return createHash('sha256').update(credential).digest('base64');
}
