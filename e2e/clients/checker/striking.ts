// The time in which faults strike, and how often each has.

export class Striking {
  readonly #counts = new Map<string, number>();
  #endsAt_ms = 0;

  /** Faults strike from now on for so long. */
  begin(duration_ms: number): void {
    this.#endsAt_ms = Date.now() + duration_ms;
  }

  get endsAt_ms(): number {
    return this.#endsAt_ms;
  }

  /** Waits, until the faults are over at the latest. */
  pause(duration_ms: number): Promise<void> {
    const left_ms = Math.max(0, Math.min(duration_ms, this.#endsAt_ms - Date.now()));
    return new Promise((resolve) => setTimeout(resolve, left_ms));
  }

  /** One step after the other, each after its wait, until the time is over. */
  async each<Step extends { wait_ms: number }>(
    steps: readonly Step[],
    work: (step: Step) => Promise<void>,
  ): Promise<void> {
    for (const step of steps) {
      await this.pause(step.wait_ms);
      if (Date.now() >= this.#endsAt_ms) return;
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
