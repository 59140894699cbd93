/** A commit whose uncompressed sizes cannot be true. */
export interface MeteringRefusal {
  atMs: number;
  /** As the commit named it; empty if the cluster has no such agent. */
  agentId: string;
  /** For people. */
  problem: string;
}

/** A completion that no job ordered. */
export interface JobRefusal {
  atMs: number;
  keyId: string;
  /** As the completion named it; empty if the cluster has no such agent. */
  agentId: string;
  /** For people. */
  reason: string;
}

/** A call for which there was no memory. */
export interface MemoryRefusal {
  atMs: number;
  /** For people. */
  reason: string;
}

/**
 * The newest refusal of one kind and how many there were, for the health page of a cluster's owner. Kept in memory: a new owner starts
 * without any.
 */
export class Refusals<Refusal> {
  #newest: Refusal | undefined;
  #count = 0;

  get newest(): Refusal | undefined {
    return this.#newest;
  }

  get count(): number {
    return this.#count;
  }

  note(refusal: Refusal): void {
    this.#newest = refusal;
    this.#count += 1;
  }
}
