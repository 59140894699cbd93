// The period in which faults strike, and a count of each fault.

export class Striking {
  readonly #counts = new Map<string, number>();
  #endsAtMs = 0;

  /** Starts the period of faults. */
  begin(durationMs: number): void {
    this.#endsAtMs = Date.now() + durationMs;
  }

  get endsAtMs(): number {
    return this.#endsAtMs;
  }

  /** Waits, at most until the period ends. */
  pause(durationMs: number): Promise<void> {
    const leftMs = Math.max(0, Math.min(durationMs, this.#endsAtMs - Date.now()));
    return new Promise((resolve) => setTimeout(resolve, leftMs));
  }

  /** Runs the steps in sequence, each after its wait, until the period ends. */
  async each<Step extends { wait_ms: number }>(
    steps: readonly Step[],
    work: (step: Step) => Promise<void>,
  ): Promise<void> {
    for (const step of steps) {
      await this.pause(step.wait_ms);
      if (Date.now() >= this.#endsAtMs) {
        return;
      }
      await work(step);
    }
  }

  count(what: string, times = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + times);
  }

  /** The counts by name, sorted. */
  get counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([left], [right]) => left.localeCompare(right)));
  }
}
