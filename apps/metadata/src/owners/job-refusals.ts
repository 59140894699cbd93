/** A completion that no job ordered. */
export interface JobRefusal {
  atMs: number;
  keyId: string;
  /** As the completion named it; empty if the cluster has no such agent. */
  agentId: string;
  /** For people. */
  reason: string;
}

/** The newest such completion of a cluster, for its owner's health page. Kept in memory: a new owner starts without one. */
export class JobRefusals {
  #newest: JobRefusal | undefined;
  #completions = 0;

  get newest(): JobRefusal | undefined {
    return this.#newest;
  }

  get completions(): number {
    return this.#completions;
  }

  note(refusal: JobRefusal): void {
    this.#newest = refusal;
    this.#completions += 1;
  }
}
