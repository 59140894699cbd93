// Keeps a process from opening more clusters than it has memory for. Running out of it would cost every cluster that it has, and the next
// process that takes them over as well.
import type { Logger } from '@penstock/platform';
import { MEMORY_VARIABLE, MIB } from './memory-limit.ts';

/** From this share of the limit on no cluster is opened. The rest is what those that are open may grow by. */
const ADMISSION_SHARE = 0.6;

export interface MemoryGuardOptions {
  memoryMib: number;
  logger: Logger;
  /** As `process.memoryUsage`. */
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

  /** How many openings it has refused. */
  get refusals(): number {
    return this.#refusals;
  }

  /**
   * What this process takes: the larger of what it has allocated and what is resident. Allocated pages may not have been touched yet, and
   * threads and native code allocate what V8 does not know of. `external` includes array buffers; what V8 keeps free for itself is left out.
   */
  get usedBytes(): number {
    const { rss, heapTotal, heapUsed, external } = this.#usage();
    return Math.max(heapUsed + external, rss - (heapTotal - heapUsed));
  }

  /** Why no further cluster may be opened here; undefined: it may. */
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

  /** Asked before a cluster is opened. Returns why it must not be. */
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
