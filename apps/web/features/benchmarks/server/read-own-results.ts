// Reads e2e/bench/results if the checkout has it. An installation without it shows published figures only.
import 'server-only';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { inOrderOfPage } from '../own-charts';
import { type OwnResult, readOwnResult } from '../own-result';

async function resultsFolder(): Promise<{ folder: string; names: string[] } | null> {
  // The server runs in apps/web or in the repository's root.
  for (const root of ['../..', '.']) {
    const folder = path.resolve(/* turbopackIgnore: true */ process.cwd(), root, 'e2e/bench/results');
    const names = await readdir(folder).catch(() => null);
    if (names !== null) {
      return { folder, names: names.filter((name) => name.endsWith('.json')).sort() };
    }
  }
  return null;
}

export async function readOwnResults(): Promise<readonly OwnResult[]> {
  const found = await resultsFolder();
  if (found === null) {
    return [];
  }
  const results = await Promise.all(
    found.names.map(async (name) => {
      const text = await readFile(path.join(found.folder, name), 'utf8');
      try {
        return readOwnResult(name, JSON.parse(text));
      } catch {
        // The result is being written; the next request will read it.
        return null;
      }
    }),
  );
  return inOrderOfPage(results.filter((result) => result !== null));
}
