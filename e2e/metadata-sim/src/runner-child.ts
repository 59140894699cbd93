// A child process of the runner: simulates its seeds, one after the other, and reports each. Installs the mutant before the first module of
// the service is loaded.
import { once } from 'node:events';
import type { SeedReport } from './seed-report.ts';
import type { Emphasis } from './simulation.ts';

export interface Job {
  seeds: readonly number[];
  mutant?: string;
  stopAtFailure: boolean;
}

const [job] = (await once(process, 'message')) as [Job];
let emphasis: Emphasis | undefined;
if (job.mutant !== undefined) {
  const { installMutant } = await import('./mutants/install-mutant.ts');
  ({ emphasis } = installMutant(job.mutant));
}
const { simulate } = await import('./simulation.ts');
for (const seed of job.seeds) {
  const startedMs = performance.now();
  const { failure, recent, ...facts } = await simulate(seed, { emphasis });
  const report: SeedReport = {
    ...facts,
    failure: failure === null ? null : `${failure.name}: ${failure.message}`,
    recent: failure === null ? [] : recent,
    ms: performance.now() - startedMs,
  };
  await new Promise<void>((resolve) => {
    process.send?.(report, undefined, {}, () => resolve());
  });
  if (failure !== null && job.stopAtFailure) {
    break;
  }
}
process.disconnect();
