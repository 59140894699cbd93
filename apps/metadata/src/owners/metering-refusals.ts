/** A commit whose uncompressed sizes cannot be true. */
export interface MeteringRefusal {
  atMs: number;
  /** As the commit named it; empty if it named none. */
  agentId: string;
  problem: string;
}

/** The newest such commit of a cluster, for its owner's health page. Kept in memory: a new owner starts without one. */
export class MeteringRefusals {
  #newest: MeteringRefusal | undefined;
  #commits = 0;

  get newest(): MeteringRefusal | undefined {
    return this.#newest;
  }

  get commits(): number {
    return this.#commits;
  }

  note(refusal: MeteringRefusal): void {
    this.#newest = refusal;
    this.#commits += 1;
  }
}
