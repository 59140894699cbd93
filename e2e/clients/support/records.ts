// Numbered records of exactly 1 KiB, and the check that all of them came back: every byte, in order, once.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const RECORD_SIZE_BYTES = 1_024;

/** How many records each client sends; PENSTOCK_E2E_RECORDS=100000 for the full size. */
export const recordCount = Number(process.env['PENSTOCK_E2E_RECORDS'] ?? 10_000);

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const INDEX_LENGTH = 10;

/** Printable values without spaces or line breaks, for line-based clients; each starts with its number. */
export function makeValues(count: number): string[] {
  let state = 0x9e3779b9;
  const characters = Buffer.alloc(RECORD_SIZE_BYTES);
  return Array.from({ length: count }, (_, index) => {
    characters.write(`${String(index).padStart(INDEX_LENGTH, '0')}:`, 'latin1');
    for (let at = INDEX_LENGTH + 1; at < RECORD_SIZE_BYTES; at += 1) {
      // xorshift32: any fixed sequence works, as long as records differ in every part.
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      characters[at] = ALPHABET.charCodeAt(state & 63);
    }
    return characters.toString('latin1');
  });
}

/** The first `count` values of a producer that repeats `values` with new numbers. */
export function repeatedValues(values: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const rest = values[index % values.length]?.slice(INDEX_LENGTH) ?? '';
    return `${String(index).padStart(INDEX_LENGTH, '0')}${rest}`;
  });
}

/** A file with one value per line; `remove` deletes it. */
export async function valuesFile(values: string[]): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-values-'));
  const path = join(folder, 'values');
  await writeFile(path, `${values.join('\n')}\n`);
  return { path, remove: () => rm(folder, { recursive: true }) };
}

export interface Consumed {
  partition: number;
  offset: number;
  value: string;
}

/** Parses lines of `partition offset value`. */
export function parseConsumed(output: string): Consumed[] {
  return output.split('\n').flatMap((line) => {
    const [partition, offset, value] = line.split(' ');
    if (partition === undefined || offset === undefined || value === undefined) {
      return [];
    }
    return [{ partition: Number(partition), offset: Number(offset), value }];
  });
}

export interface Acknowledged {
  partition: number;
  offset: number;
  index: number;
}

/** Parses lines of `partition offset index`. */
export function parseAcknowledged(output: string): Acknowledged[] {
  return parseConsumed(output).map(({ partition, offset, value }) => ({ partition, offset, index: Number(value) }));
}

function indexOf(value: string): number {
  return Number(value.slice(0, INDEX_LENGTH));
}

/**
 * Describes what is wrong with the records that came back. Empty when every value came back byte for byte exactly once, and each partition
 * is in the order of sending, without gaps between offsets.
 */
export function faultsOf(consumed: Consumed[], values: string[]): string[] {
  const faults: string[] = [];
  const seen = new Uint8Array(values.length);
  const last = new Map<number, { offset: number; index: number }>();
  for (const { partition, offset, value } of consumed) {
    const index = indexOf(value);
    if (values[index] !== value) {
      faults.push(`partition ${partition} offset ${offset}: not a value that was sent: ${value.slice(0, 40)}…`);
      continue;
    }
    seen[index] = (seen[index] ?? 0) + 1;
    const before = last.get(partition);
    if (offset !== (before === undefined ? 0 : before.offset + 1)) {
      faults.push(`partition ${partition}: offset ${offset} follows ${before?.offset ?? 'the start'}`);
    }
    if (before !== undefined && index <= before.index) {
      faults.push(`partition ${partition} offset ${offset}: record ${index} after record ${before.index}`);
    }
    last.set(partition, { offset, index });
  }
  const missing = seen.reduce((count, times) => count + (times === 0 ? 1 : 0), 0);
  const repeated = seen.reduce((count, times) => count + (times > 1 ? 1 : 0), 0);
  if (missing > 0) {
    faults.push(`${missing} of ${values.length} records are missing, the first is ${seen.indexOf(0)}`);
  }
  if (repeated > 0) {
    faults.push(`${repeated} records came more than once`);
  }
  return faults.slice(0, 10);
}

/** Acknowledged records that are not at the acknowledged offset. */
export function lostAcknowledgements(acknowledged: Acknowledged[], consumed: Consumed[]): Acknowledged[] {
  const places = new Map(consumed.map(({ partition, offset, value }) => [`${partition}/${offset}`, indexOf(value)]));
  return acknowledged.filter(({ partition, offset, index }) => places.get(`${partition}/${offset}`) !== index);
}
