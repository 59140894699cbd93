// The calls of one cluster that were refused because there was no memory for them, since its owner opened it.

export interface MemoryRefusal {
  atMs: number;
  /** For people. */
  reason: string;
}

export class MemoryRefusals {
  #newest: MemoryRefusal | undefined;
  #count = 0;

  get newest(): MemoryRefusal | undefined {
    return this.#newest;
  }

  get count(): number {
    return this.#count;
  }

  note(refusal: MemoryRefusal): void {
    this.#newest = refusal;
    this.#count += 1;
  }
}
