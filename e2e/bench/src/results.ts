// Stores results, and prints the line that each benchmark ends with.
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const resultsFolder = fileURLToPath(new URL('../results/', import.meta.url));

/** Saves the figures as results/<name>.json and prints them as the last line of output. */
export async function reportResult(name: string, figures: Record<string, unknown>): Promise<void> {
  await mkdir(resultsFolder, { recursive: true });
  await writeFile(`${resultsFolder}${name}.json`, `${JSON.stringify(figures, null, 2)}\n`);
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}

/** A figure with a reasonable number of decimals. */
export function rounded(value: number, decimals = 0): number {
  return Number(value.toFixed(decimals));
}
