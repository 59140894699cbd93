// The time in which faults strike, and how often each has.

export class Striking {
  readonly #counts = new Map<string, number>();
  #endsAtMs = 0;

  /** Faults strike from now on for so long. */
  begin(durationMs: number): void {
    this.#endsAtMs = Date.now() + durationMs;
  }

  get endsAtMs(): number {
    return this.#endsAtMs;
  }

  /** Waits, until the faults are over at the latest. */
  pause(durationMs: number): Promise<void> {
    const leftMs = Math.max(0, Math.min(durationMs, this.#endsAtMs - Date.now()));
    return new Promise((resolve) => setTimeout(resolve, leftMs));
  }

  /** One step after the other, each after its wait, until the time is over. */
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

  /** By name, in their order. */
  get counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([left], [right]) => left.localeCompare(right)));
  }
}
