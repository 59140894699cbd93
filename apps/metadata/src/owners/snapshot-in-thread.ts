// Takes a snapshot in a thread of its own, with its own connection to PostgreSQL.
import { Worker } from 'node:worker_threads';
import type { SnapshotThreadData } from './snapshot-thread.ts';
import type { SnapshotFacts } from './take-snapshot.ts';

/** Of the process's memory, for the heap of a thread that takes a snapshot. */
const MEMORY_SHARE = 0.4;

export async function takeSnapshotInThread(data: SnapshotThreadData): Promise<SnapshotFacts> {
  const worker = new Worker(new URL('./snapshot-thread.ts', import.meta.url), {
    workerData: data,
    // A state that is too large for this costs the snapshot, not the process.
    resourceLimits: { maxOldGenerationSizeMb: Math.floor(data.memoryMib * MEMORY_SHARE), maxYoungGenerationSizeMb: 32 },
  });
  return await new Promise<SnapshotFacts>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the snapshot thread ended with code ${code}`)));
  });
}
