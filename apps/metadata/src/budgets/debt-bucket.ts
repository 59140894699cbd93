/**
 * A token bucket that may go into debt. What a call costs is known only after it was read, so a call is admitted while the bucket is not in
 * debt, and pays afterwards.
 */
export class DebtBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #atMs: number;

  /** @param burst what may be spent at once after a pause */
  constructor(perSecond: number, burst: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#atMs = nowMs;
  }

  /** @returns 0, or the number of milliseconds after which the bucket is out of debt */
  waitMs(nowMs: number): number {
    this.#refill(nowMs);
    return this.#tokens > 0 ? 0 : Math.max(1, Math.ceil((-this.#tokens * 1_000) / this.#perSecond));
  }

  spend(amount: number, nowMs: number): void {
    this.#refill(nowMs);
    this.#tokens -= amount;
  }

  #refill(nowMs: number): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + ((nowMs - this.#atMs) * this.#perSecond) / 1_000);
    this.#atMs = nowMs;
  }
}
