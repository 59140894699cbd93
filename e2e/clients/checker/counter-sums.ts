// Sums counters of processes that are killed and start at 0 again, over all lives, as far as they were read before each kill.

export class CounterSums {
  readonly #sums = new Map<string, number>();
  /** By URL, the last reading of each counter. */
  readonly #last = new Map<string, Map<string, number>>();

  /** Reads /metrics of a process; an unreachable one is skipped. */
  async read(httpUrl: string): Promise<void> {
    const answer = await fetch(`${httpUrl}/metrics`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (text === undefined) {
      return;
    }
    const last = this.#last.get(httpUrl) ?? new Map<string, number>();
    this.#last.set(httpUrl, last);
    for (const line of text.split('\n')) {
      const at = line.lastIndexOf(' ');
      const [sample, value] = [line.slice(0, at), Number(line.slice(at + 1))];
      if (!/^[a-z_]+_total/.test(sample) || Number.isNaN(value)) {
        continue;
      }
      const before = last.get(sample) ?? 0;
      this.#sums.set(sample, (this.#sums.get(sample) ?? 0) + (value < before ? value : value - before));
      last.set(sample, value);
    }
  }

  /** Sums the samples whose name and labels contain all of these. */
  sum(...parts: string[]): number {
    let sum = 0;
    for (const [sample, value] of this.#sums) {
      if (parts.every((part) => sample.includes(part))) {
        sum += value;
      }
    }
    return sum;
  }
}
