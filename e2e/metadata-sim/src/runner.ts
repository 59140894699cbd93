// Runs many seeds on all processors, in child processes that each take every n-th seed.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Job } from './runner-child.ts';
import type { SeedReport } from './seed-report.ts';

const pinnedNode = fileURLToPath(new URL('../../../node_modules/node/bin/node', import.meta.url));
const child = fileURLToPath(new URL('./runner-child.ts', import.meta.url));

export interface RunOptions {
  first: number;
  count: number;
  jobs: number;
  /** The mutant to install; see mutants. */
  mutant?: string;
  /** Whether the first broken promise ends the run. */
  stopAtFailure: boolean;
  onReport?: (report: SeedReport) => void;
}

/** Resolves with the reports, in the order of the seeds. */
export async function runSeeds(options: RunOptions): Promise<SeedReport[]> {
  const { first, count, jobs, mutant, stopAtFailure, onReport } = options;
  const reports: SeedReport[] = [];
  const workers = Math.max(1, Math.min(jobs, count));
  const stops: (() => void)[] = [];
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      const seeds: number[] = [];
      for (let seed = first + worker; seed < first + count; seed += workers) {
        seeds.push(seed);
      }
      const job: Job = { seeds, stopAtFailure, ...(mutant === undefined ? {} : { mutant }) };
      const running = fork(child, {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        execArgv: [],
        execPath: pinnedNode,
      });
      let isStopped = false;
      stops.push(() => {
        isStopped = true;
        running.kill();
      });
      const ended = new Promise<void>((resolve, reject) => {
        running.on('message', (report: SeedReport) => {
          reports.push(report);
          onReport?.(report);
          if (stopAtFailure && report.failure !== null) {
            for (const stop of stops) {
              stop();
            }
          }
        });
        running.once('exit', (code, signal) => {
          if (code === 0 || isStopped) {
            resolve();
          } else {
            reject(new Error(`a worker of the simulation ended with ${signal ?? code}`));
          }
        });
      });
      running.send(job);
      await ended;
    }),
  );
  return reports.sort((a, b) => a.seed - b.seed);
}
