// Dead files in memory, for tests and simulation. They fulfil the same contract as those in PostgreSQL.
import type { DeadFile, DeadFiles, DeadFileTotals, TakeOptions } from '../dead-files.ts';

interface StoredFile extends DeadFile {
  leasedUntilMs: number;
}

export class MemoryDeadFiles implements DeadFiles {
  readonly #clusters = new Map<string, Map<string, StoredFile>>();

  async add(clusterId: string, files: readonly DeadFile[]): Promise<void> {
    const stored = this.#of(clusterId);
    for (const { fileId, bytes, deleteAfterMs } of files) {
      const key = keyOf(fileId);
      if (!stored.has(key)) {
        stored.set(key, { fileId: Uint8Array.from(fileId), bytes, deleteAfterMs, leasedUntilMs: 0 });
      }
    }
  }

  async take(clusterId: string, { maxFiles, dueMs, nowMs, leaseUntilMs }: TakeOptions): Promise<Uint8Array[]> {
    const due = [...this.#of(clusterId).values()]
      .filter((file) => file.leasedUntilMs <= nowMs && (dueMs === null || file.deleteAfterMs <= dueMs))
      .sort((a, b) => a.deleteAfterMs - b.deleteAfterMs)
      .slice(0, maxFiles);
    for (const file of due) {
      file.leasedUntilMs = leaseUntilMs;
    }
    return due.map(({ fileId }) => fileId);
  }

  async remove(clusterId: string, fileIds: readonly Uint8Array[]): Promise<void> {
    for (const fileId of fileIds) {
      this.#of(clusterId).delete(keyOf(fileId));
    }
  }

  async holds(clusterId: string, fileIds: readonly Uint8Array[]): Promise<boolean[]> {
    return fileIds.map((fileId) => this.#of(clusterId).has(keyOf(fileId)));
  }

  async totals(clusterId: string): Promise<DeadFileTotals> {
    const files = [...this.#of(clusterId).values()];
    return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  /** All files of a cluster, for judges of a simulation. */
  all(clusterId: string): DeadFile[] {
    return [...this.#of(clusterId).values()];
  }

  #of(clusterId: string): Map<string, StoredFile> {
    let stored = this.#clusters.get(clusterId);
    if (stored === undefined) {
      stored = new Map();
      this.#clusters.set(clusterId, stored);
    }
    return stored;
  }
}

function keyOf(fileId: Uint8Array): string {
  return Buffer.from(fileId).toString('hex');
}
