// Memory per file and per run, measured in a separate process so that nothing else affects it.
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
