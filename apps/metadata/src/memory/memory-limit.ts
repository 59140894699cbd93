// How much memory a metadata process may take, and what V8 is told of it. `main.ts` needs it before it loads anything else.
import { totalmem } from 'node:os';

export const MIB = 1024 * 1024;
export const MEMORY_VARIABLE = 'PENSTOCK_METADATA_MEMORY_MIB';
/** A process without clusters takes 150 MiB. */
export const MIN_MEMORY_MIB = 512;
export const MAX_MEMORY_MIB = 1024 * 1024;

/** Of a container's limit: the rest is for what the kernel counts towards it, such as socket buffers. */
const SHARE_OF_CONTAINER = 0.9;
/** Of a machine, which runs other things as well. */
const SHARE_OF_MACHINE = 0.5;

/**
 * V8's old space may take this share; the rest is for young objects, buffers, code and threads. Arrays outside of V8's heap count towards
 * the same limit, so a heap this large leaves them little: new clusters are refused long before (see `MemoryGuard`).
 */
const OLD_SPACE_SHARE = 0.85;
/** One of three semi-spaces. Larger ones mean fewer young collections, and fewer objects that grow old by accident. */
const SEMI_SPACE_SHARE = 1 / 64;
const MAX_SEMI_SPACE_MIB = 32;

/** What applies without a setting: most of the container's memory, or half of the machine's. */
export function defaultMemoryMib(): number {
  const machineBytes = totalmem();
  // Without a limit this is 0, or more than there is.
  const containerBytes = process.constrainedMemory();
  const isContained = containerBytes > 0 && containerBytes < machineBytes;
  const bytes = isContained ? containerBytes * SHARE_OF_CONTAINER : machineBytes * SHARE_OF_MACHINE;
  return Math.min(MAX_MEMORY_MIB, Math.max(MIN_MEMORY_MIB, Math.floor(bytes / MIB)));
}

/** @returns undefined when the text is not a number of mebibytes in range */
export function parseMemoryMib(text: string): number | undefined {
  const memoryMib = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  return memoryMib >= MIN_MEMORY_MIB && memoryMib <= MAX_MEMORY_MIB ? memoryMib : undefined;
}

/** The limits of V8's heap that go with it. */
export function heapLimitsOf(memoryMib: number): { oldSpaceMib: number; semiSpaceMib: number } {
  return {
    oldSpaceMib: Math.floor(memoryMib * OLD_SPACE_SHARE),
    semiSpaceMib: Math.max(8, Math.min(MAX_SEMI_SPACE_MIB, Math.floor(memoryMib * SEMI_SPACE_SHARE))),
  };
}

/** Node's flags that set these limits. */
export function heapFlags(memoryMib: number): string[] {
  const { oldSpaceMib, semiSpaceMib } = heapLimitsOf(memoryMib);
  return [`--max-old-space-size=${oldSpaceMib}`, `--max-semi-space-size=${semiSpaceMib}`];
}

/** Whether whoever started this process has set V8's limit already, which then stays. */
export function hasHeapLimit(execArgv: readonly string[], nodeOptions: string | undefined): boolean {
  return [...execArgv, nodeOptions ?? ''].some((argument) => /--max[-_](old[-_]space|heap)[-_]size/.test(argument));
}
