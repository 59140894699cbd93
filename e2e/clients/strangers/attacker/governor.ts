// Limits this process to a share of one core, so that an attack is compared with honest load of equal cost.

const MAX_PAUSE_MS = 250;

export class Governor {
  readonly #share: number;
  #usedAtStart = usedMs();
  #startedMs = performance.now();

  /** @param share of one core, e.g. 0.5 */
  constructor(share: number) {
    this.#share = share;
  }

  /** Starts a new account: time that was not used before does not count. */
  restart(): void {
    this.#usedAtStart = usedMs();
    this.#startedMs = performance.now();
  }

  /** Waits until the CPU time of this process is within its share. */
  async pause(): Promise<void> {
    for (;;) {
      const aheadMs = (usedMs() - this.#usedAtStart) / this.#share - (performance.now() - this.#startedMs);
      if (aheadMs <= 0) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, Math.min(aheadMs, MAX_PAUSE_MS)));
    }
  }
}

function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
