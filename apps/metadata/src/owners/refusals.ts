// Refusals of a cluster's owner, for the health page and the operator's log. Kept in memory: a new owner starts without any.
import { MINUTE_MS } from '@penstock/units';

/** A commit whose uncompressed sizes cannot be true. */
export interface MeteringRefusal {
  atMs: number;
  /** As the commit named it; empty if the cluster has no such agent. */
  agentId: string;
  /** The problem, for people to read. */
  problem: string;
}

/** A completion that no job ordered. */
export interface JobRefusal {
  atMs: number;
  keyId: string;
  /** As the completion named it; empty if the cluster has no such agent. */
  agentId: string;
  /** The reason, for people to read. */
  reason: string;
}

/** A call for which there was no memory. */
export interface MemoryRefusal {
  atMs: number;
  /** The reason, for people to read. */
  reason: string;
}

/** One of each kind is logged per minute after a pause of as much: some callers try again and again. */
const LOG_INTERVAL_MS = MINUTE_MS;

/** The newest refusal of one kind and how many there were. */
export class Refusals<Refusal extends { atMs: number }> {
  #newest: Refusal | undefined;
  #count = 0;

  get newest(): Refusal | undefined {
    return this.#newest;
  }

  get count(): number {
    return this.#count;
  }

  /** @returns whether to log it */
  note(refusal: Refusal): boolean {
    const isNews = this.#newest === undefined || refusal.atMs - this.#newest.atMs >= LOG_INTERVAL_MS;
    this.#newest = refusal;
    this.#count += 1;
    return isNews;
  }
}
