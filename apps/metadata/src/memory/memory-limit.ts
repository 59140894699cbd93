// How much memory a metadata process may use, and the V8 flags for it. `main.ts` needs it before it loads anything else.
import { totalmem } from 'node:os';

export const MIB = 1024 * 1024;
export const MEMORY_VARIABLE = 'PENSTOCK_METADATA_MEMORY_MIB';
/** A process without clusters uses 150 MiB. */
export const MIN_MEMORY_MIB = 512;
export const MAX_MEMORY_MIB = 1024 * 1024;

/** Share of a container's limit. The kernel counts other things towards it too, such as socket buffers. */
const SHARE_OF_CONTAINER = 0.9;
/** Share of a machine's memory. Other programs run on it as well. */
const SHARE_OF_MACHINE = 0.5;

/**
 * V8's old space gets this share; the rest is for young objects, buffers, code and threads. Arrays outside V8's heap count towards the same
 * limit, so a heap this large leaves them little room: new clusters are refused long before that (see `MemoryGuard`).
 */
const OLD_SPACE_SHARE = 0.85;
/** Size of one of V8's three semi-spaces. Larger ones mean fewer young collections, and fewer objects promoted too early. */
const SEMI_SPACE_SHARE = 1 / 64;
const MAX_SEMI_SPACE_MIB = 32;

/** The default without a setting: most of the container's memory, or half of the machine's. */
export function defaultMemoryMib(): number {
  const machineBytes = totalmem();
  // Without a container limit this is 0, or more than the machine's memory.
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

/** V8's heap limits for this much memory. */
export function heapLimitsOf(memoryMib: number): { oldSpaceMib: number; semiSpaceMib: number } {
  return {
    oldSpaceMib: Math.floor(memoryMib * OLD_SPACE_SHARE),
    semiSpaceMib: Math.max(8, Math.min(MAX_SEMI_SPACE_MIB, Math.floor(memoryMib * SEMI_SPACE_SHARE))),
  };
}

/**
 * By default V8 starts a full collection, which stops the process for tens of milliseconds, whenever arrays outside its heap have grown by
 * 64 MiB: the journal of a busy cluster does that every three seconds. With this flag they count like objects, so that the time between
 * full collections grows with what the process holds.
 */
const ARRAYS_COUNT_AS_HEAP = '--external-memory-accounted-in-global-limit';

/** Node's flags that set these limits. */
export function heapFlags(memoryMib: number): string[] {
  const { oldSpaceMib, semiSpaceMib } = heapLimitsOf(memoryMib);
  return [`--max-old-space-size=${oldSpaceMib}`, `--max-semi-space-size=${semiSpaceMib}`, ARRAYS_COUNT_AS_HEAP];
}

/** Whether V8's heap limit was already set when this process was started. That limit is then kept. */
export function hasHeapLimit(execArgv: readonly string[], nodeOptions: string | undefined): boolean {
  return [...execArgv, nodeOptions ?? ''].some((argument) => /--max[-_](old[-_]space|heap)[-_]size/.test(argument));
}
