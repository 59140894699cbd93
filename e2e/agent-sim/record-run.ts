// Adds runs of seeds to the tracked file of results, with the commit that they ran on.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { currentCommit } from './current-commit.ts';

const file = fileURLToPath(new URL('../bench/agent-sim.json', import.meta.url));

/** The last line of a run of several seeds. */
export interface Summary {
  first_seed: number;
  last_seed: number;
  seeds: number;
  broken: number[];
  simulated_hours: number;
  cpu_hours: number;
}

interface Results {
  command: string;
  seeds: number;
  broken: number;
  simulated_hours: number;
  cpu_hours: number;
  runs: (Summary & { commit: string })[];
}

/** Results with a run added. */
export function withRun(results: Results | undefined, summary: Summary, commit: string): Results {
  const runs = [...(results?.runs ?? []), { commit, ...summary }];
  const sum = (of: (run: Summary) => number) => Number(runs.reduce((total, run) => total + of(run), 0).toFixed(4));
  return {
    command: 'npm run sim -- --agents --record',
    seeds: sum((run) => run.seeds),
    broken: sum((run) => run.broken.length),
    simulated_hours: sum((run) => run.simulated_hours),
    cpu_hours: sum((run) => run.cpu_hours),
    runs,
  };
}

/** Adds a run to the file. */
export function recordRun(summary: Summary): void {
  const results = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : undefined;
  writeFileSync(file, `${JSON.stringify(withRun(results, summary, currentCommit()), null, 2)}\n`);
}
