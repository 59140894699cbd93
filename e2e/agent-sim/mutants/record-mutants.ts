// Keeps the newest verdict on each mutant in a tracked file, with the commit that it was reached on.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { currentCommit } from '../current-commit.ts';
import type { Mutant } from './mutants.ts';

const file = fileURLToPath(new URL('../../bench/agent-mutants.json', import.meta.url));

/** How one mutant fared. */
export interface Verdict {
  name: string;
  breaks: string;
  /** The scenario that its seeds ran; null for storms. */
  scenario: string | null;
  isNoticed: boolean;
  /** How many seeds ran, the one that noticed it included. */
  seeds: number;
  firstSeed: number;
  /** The first broken guarantee that was printed; null when none was. */
  fault: string | null;
}

type Recorded = Verdict & { commit: string };

interface Results {
  command: string;
  noticed: number;
  unnoticed: string[];
  notRun: string[];
  mutants: Recorded[];
}

/** Results with a verdict added, in the order of the mutants. It replaces an older one. Verdicts on mutants that are gone are dropped. */
export function withVerdict(
  results: Pick<Results, 'mutants'> | undefined,
  verdict: Verdict,
  commit: string,
  mutants: readonly Pick<Mutant, 'name'>[],
): Results {
  const known = new Map((results?.mutants ?? []).map((recorded) => [recorded.name, recorded]));
  known.set(verdict.name, { ...verdict, commit });
  const recorded = mutants.flatMap(({ name }) => known.get(name) ?? []);
  return {
    command: 'npm run sim -- --agents --mutants --record',
    noticed: recorded.filter(({ isNoticed }) => isNoticed).length,
    unnoticed: recorded.filter(({ isNoticed }) => !isNoticed).map(({ name }) => name),
    notRun: mutants.filter(({ name }) => !known.has(name)).map(({ name }) => name),
    mutants: recorded,
  };
}

/** Adds a verdict to the file. */
export function recordVerdict(verdict: Verdict, mutants: readonly Mutant[]): void {
  const results = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : undefined;
  writeFileSync(file, `${JSON.stringify(withVerdict(results, verdict, currentCommit(), mutants), null, 2)}\n`);
}
