// How far metering is behind, as the clock that looks for journals to fold saw it last.

export class MeteringWatch {
  readonly #nowMs: () => number;
  #oldestMs: number | undefined;
  #lookedMs: number;

  /** @param nowMs the time, in which journals have theirs */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#lookedMs = nowMs();
  }

  /** @param oldest when the oldest entry that is not folded was appended; undefined if there is none */
  note(oldest: Date | undefined): void {
    this.#lookedMs = this.#nowMs();
    this.#oldestMs = oldest?.getTime();
  }

  /** The age of that entry. It grows while nobody looks. */
  get lagSeconds(): number {
    const now = this.#nowMs();
    const oldestMs = this.#oldestMs ?? this.#lookedMs;
    return Math.max(0, now - oldestMs) / 1_000;
  }
}
