// Keeps a process from opening more clusters than it has memory for. Running out of memory would take down every cluster that it owns, and
// then the next process that takes them over.
import type { Logger } from '@penstock/platform';
import { MEMORY_VARIABLE, MIB } from './memory-limit.ts';

/** Above this share of the limit no cluster is opened. The rest is room for open clusters to grow. */
const ADMISSION_SHARE = 0.6;

export interface MemoryGuardOptions {
  memoryMib: number;
  logger: Logger;
  /** Replaces `process.memoryUsage` in tests. */
  usage?: () => NodeJS.MemoryUsage;
}

export class MemoryGuard {
  readonly limitBytes: number;
  readonly #logger: Logger;
  readonly #usage: () => NodeJS.MemoryUsage;
  #refusals = 0;
  #wasFull = false;

  constructor({ memoryMib, logger, usage = () => process.memoryUsage() }: MemoryGuardOptions) {
    this.limitBytes = memoryMib * MIB;
    this.#logger = logger;
    this.#usage = usage;
  }

  /** The number of clusters that it refused to open. */
  get refusals(): number {
    return this.#refusals;
  }

  /**
   * The memory of this process: allocated or resident, whichever is larger. Allocated pages may not have been touched yet, and threads and
   * native code allocate memory that V8 does not count. `external` includes array buffers. Memory that V8 has reserved but does not use is
   * excluded.
   */
  get usedBytes(): number {
    const { rss, heapTotal, heapUsed, external } = this.#usage();
    return Math.max(heapUsed + external, rss - (heapTotal - heapUsed));
  }

  /** Why no further cluster may be opened here. Undefined when one may. */
  get obstacle(): string | undefined {
    const { usedBytes, limitBytes } = this;
    if (usedBytes < limitBytes * ADMISSION_SHARE) {
      return undefined;
    }
    const [usedMib, limitMib] = [usedBytes, limitBytes].map((bytes) => Math.round(bytes / MIB));
    return (
      `this process uses ${usedMib} of its ${limitMib} MiB of memory and opens no further clusters from ${ADMISSION_SHARE * 100} % on: ` +
      `start another one, or raise ${MEMORY_VARIABLE}`
    );
  }

  /** Call before opening a cluster. Returns the reason to refuse, if there is one, and counts the refusal. */
  refusal(): string | undefined {
    const { obstacle } = this;
    const isFull = obstacle !== undefined;
    if (isFull !== this.#wasFull) {
      this.#wasFull = isFull;
      if (isFull) {
        this.#logger.warn({ obstacle }, 'out of memory for further clusters');
      } else {
        this.#logger.info('there is memory for further clusters again');
      }
    }
    if (isFull) {
      this.#refusals += 1;
    }
    return obstacle;
  }
}
