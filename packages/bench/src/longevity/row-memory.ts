// What one file and one run occupy, measured in a process of its own so that nothing else moves its memory.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RowMemory } from './row-memory-process.ts';

export type { RowMemory };

export async function measureRowMemory(): Promise<RowMemory> {
  const program = fileURLToPath(new URL('./row-memory-process.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  return JSON.parse(stdout);
}
