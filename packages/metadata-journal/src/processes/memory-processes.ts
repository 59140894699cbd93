// The list of processes in memory with a settable clock, for tests. It fulfils the same contract as that in PostgreSQL.
import type { ListedProcess, Processes, ProcessReport } from './processes.ts';

export class MemoryProcesses implements Processes {
  readonly #rows = new Map<string, { process: ListedProcess; expiresAtMs: number }>();
  readonly #nowMs: () => number;

  /** @param nowMs the store's clock, in milliseconds. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  async report(process: ProcessReport, ttlMs: number): Promise<ListedProcess[]> {
    const isDraining = this.#rows.get(process.ownerId)?.process.isDraining ?? false;
    this.#rows.set(process.ownerId, { process: { ...process, isDraining }, expiresAtMs: this.#nowMs() + ttlMs });
    return await this.list();
  }

  async expect(ownerId: string): Promise<void> {
    const row = this.#rows.get(ownerId);
    if (row !== undefined) {
      row.process = { ...row.process, clusters: row.process.clusters + 1 };
    }
  }

  async leave(ownerId: string): Promise<void> {
    this.#rows.delete(ownerId);
  }

  async list(): Promise<ListedProcess[]> {
    return [...this.#rows.values()]
      .filter(({ expiresAtMs }) => expiresAtMs > this.#nowMs())
      .map(({ process }) => process)
      .sort((a, b) => (a.ownerId < b.ownerId ? -1 : 1));
  }

  async setDraining(ownerId: string, isDraining: boolean): Promise<boolean> {
    const row = this.#rows.get(ownerId);
    if (row === undefined || row.expiresAtMs <= this.#nowMs()) {
      return false;
    }
    row.process = { ...row.process, isDraining };
    return true;
  }
}
