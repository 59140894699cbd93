// How far metering is behind, as the folds of this worker's shards saw it last.

interface Shard {
  /** When the oldest entry that is not folded was appended; undefined if there is none. */
  oldestMs: number | undefined;
  lookedMs: number;
}

export class MeteringWatch {
  readonly #nowMs: () => number;
  readonly #own: () => readonly number[];
  readonly #shards = new Map<number, Shard>();

  /**
   * @param nowMs the time, in which journals have theirs
   * @param own the shards that this worker works for
   */
  constructor(nowMs: () => number, own: () => readonly number[]) {
    this.#nowMs = nowMs;
    this.#own = own;
  }

  /** @param oldest when the shard's oldest entry that is not folded was appended; undefined if there is none */
  note(shard: number, oldest: Date | undefined): void {
    this.#shards.set(shard, { oldestMs: oldest?.getTime(), lookedMs: this.#nowMs() });
  }

  /** The age of the oldest of these entries. It grows while nobody looks. */
  get lagSeconds(): number {
    const now = this.#nowMs();
    const own = this.#own();
    for (const shard of this.#shards.keys()) {
      if (!own.includes(shard)) {
        this.#shards.delete(shard);
      }
    }
    let lagMs = 0;
    for (const shard of own) {
      const known = this.#shards.get(shard) ?? { oldestMs: undefined, lookedMs: now };
      // A shard that is new here is behind from now on, if nobody looks.
      this.#shards.set(shard, known);
      lagMs = Math.max(lagMs, now - (known.oldestMs ?? known.lookedMs));
    }
    return lagMs / 1_000;
  }
}
