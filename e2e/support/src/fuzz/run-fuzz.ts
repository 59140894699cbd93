// Runs a property with generated inputs: a few with a fixed seed in the tests, and for minutes with new seeds in the long form,
// `npm run fault -- fuzz`.
import { appendFile } from 'node:fs/promises';
import fc from 'fast-check';

/** Groups of properties, by which executions and findings are counted. */
export type FuzzGroup = 'rest' | 'forms' | 'rpc' | 'journal' | 'sign-in' | 'files' | 'billing';

/** One property's run, as the long form reads it: a line of JSON. */
export interface FuzzRun {
  group: FuzzGroup;
  property: string;
  seed: number;
  executions: number;
  cpuSeconds: number;
  isFailed: boolean;
}

/** The seed of the tests: a run of `npm test` never fails by chance. */
const FIXED_SEED = 33;

/** Without a limit of its own, fast-check counts runs in 32 bits. */
const UNLIMITED_RUNS = 2 ** 31 - 1;

/**
 * Throws with the seed and the smallest input found if the property fails.
 * @param name unique within its group
 * @param runs the number of inputs in the tests; the long form runs until its time is over
 */
export async function runFuzz<T>(
  group: FuzzGroup,
  name: string,
  runs: number,
  property: fc.IRawProperty<T>,
): Promise<void> {
  const { PENSTOCK_FUZZ_SEED: seedText, PENSTOCK_FUZZ_SECONDS: seconds, PENSTOCK_FUZZ_REPORT: report } = process.env;
  const seed = seedText === undefined ? FIXED_SEED : Number(seedText);
  const limits =
    seconds === undefined
      ? { numRuns: runs }
      : { numRuns: UNLIMITED_RUNS, interruptAfterTimeLimit: Number(seconds) * 1_000 };
  const before = process.cpuUsage();
  const details = await fc.check(property, { seed, ...limits });
  const { user, system } = process.cpuUsage(before);
  // An interrupted run is no failure of the property.
  const isFailed = details.failed && details.counterexamplePath !== null;
  if (report !== undefined) {
    const cpuSeconds = (user + system) / 1_000_000;
    const run: FuzzRun = { group, property: name, seed, executions: details.numRuns, cpuSeconds, isFailed };
    await appendFile(report, `${JSON.stringify(run)}\n`);
  }
  if (isFailed) {
    throw new Error((await fc.asyncDefaultReportMessage(details)) ?? 'The property failed.', {
      cause: details.errorInstance,
    });
  }
}
