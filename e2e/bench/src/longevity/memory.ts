// The memory of the process after garbage collection.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

export interface MemoryUse {
  rssBytes: number;
  /** Objects, and the buffers that they hold. */
  heapAndBufferBytes: number;
}

/** Collects garbage, lets finalizers free their buffers, and reads the process's memory. */
export async function memoryAfterGc(): Promise<MemoryUse> {
  for (let round = 0; round < 3; round += 1) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rssBytes: rss, heapAndBufferBytes: heapUsed + external };
}
