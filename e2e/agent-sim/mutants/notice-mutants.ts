// Runs mutants of the agent through seeds until the simulation notices each.
import { execFile } from 'node:child_process';
import { buildMutants } from './build-mutants.ts';
import { MUTANTS, type Mutant } from './mutants.ts';
import { MUTANT_VARIABLE } from './plant-mutants.ts';
import { recordVerdict, type Verdict } from './record-mutants.ts';

/** A seed that does not end in this time has been noticed, too. */
const RUN_TIMEOUT_MS = 900_000;
const MOST_SEEDS_OF_A_SCENARIO = 20;

export interface NoticeOptions {
  /** Names of the mutants to run; undefined runs all. */
  only: readonly string[] | undefined;
  firstSeed: number;
  mostSeeds: number;
  workers: number;
  /** Simulated seconds with faults. */
  seconds: number;
  /** Whether verdicts go to e2e/bench/agent-mutants.json. */
  isRecorded: boolean;
}

/** Prints the seeds that each took. Returns the names of those that no seed noticed.
 * @throws Error when there is no mutant of a name, or when the mutants do not compile */
export async function noticeMutants({
  only,
  firstSeed,
  mostSeeds,
  workers,
  seconds,
  isRecorded,
}: NoticeOptions): Promise<string[]> {
  const unknown = only?.filter((name) => !MUTANTS.some((mutant) => mutant.name === name)) ?? [];
  if (unknown.length > 0) {
    throw new Error(`there is no mutant ${unknown.join(', ')}`);
  }
  const waiting = MUTANTS.filter(({ name }) => only === undefined || only.includes(name));
  const program = buildMutants(MUTANTS);
  const unnoticed: string[] = [];
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
        const verdict = await notice(mutant);
        if (isRecorded) {
          recordVerdict(verdict, MUTANTS);
        }
        if (!verdict.isNoticed) {
          unnoticed.push(mutant.name);
        }
      }
    }),
  );
  return unnoticed;

  async function notice({ name, breaks, scenario }: Mutant): Promise<Verdict> {
    const most = scenario === undefined ? mostSeeds : Math.min(mostSeeds, MOST_SEEDS_OF_A_SCENARIO);
    const facts = { name, breaks, scenario: scenario ?? null, firstSeed };
    const of = scenario === undefined ? '' : ` of ${scenario}`;
    for (let seed = firstSeed; seed < firstSeed + most; seed += 1) {
      const where = scenario === undefined ? ['--seconds', String(seconds)] : ['--scenario', scenario];
      const faults = await faultsOf(program, name, ['--seed', String(seed), ...where]);
      if (faults.length > 0) {
        const seeds = seed - firstSeed + 1;
        console.log(`${name}: noticed after ${seeds} seeds${of} (${breaks})\n  ${faults[0]}`);
        return { ...facts, isNoticed: true, seeds, fault: faults[0] ?? null };
      }
    }
    console.log(`${name}: NOT noticed by ${most} seeds${of} (${breaks})`);
    return { ...facts, isNoticed: false, seeds: most, fault: null };
  }
}

/** The broken guarantees of a run as this mutant. */
function faultsOf(program: string, mutant: string, args: readonly string[]): Promise<string[]> {
  return new Promise((resolve) => {
    const env = { ...process.env, [MUTANT_VARIABLE]: mutant };
    execFile(program, args, { env, maxBuffer: 1 << 28, timeout: RUN_TIMEOUT_MS }, (_error, output) => {
      const last = output.trimEnd().split('\n').at(-1) ?? '';
      try {
        resolve(JSON.parse(last).faults);
      } catch {
        resolve([`the run ended without an outcome: ${last.slice(0, 200)}`]);
      }
    });
  });
}
