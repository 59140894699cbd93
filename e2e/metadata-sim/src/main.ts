// npm run sim -- [--seeds N] [--seed S] [--jobs J] [--mutant NAME] [--mutants] [--verbose]: simulates the seeds S to S + N - 1; with
// --mutants, until each mutant is noticed (from the named one on).
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { MUTANTS } from './mutants/mutants.ts';
import { runSeeds } from './runner.ts';
import { simulate } from './simulation.ts';

const MOST_SEEDS_PER_MUTANT = 100;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    mutant: { type: 'string' },
    mutants: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});
const [first, count, jobs] = [values.seed, values.seeds, values.jobs].map(Number) as [number, number, number];
if (values.verbose && values.mutant === undefined) {
  const { failure, traceHash } = await simulate(first, { onEvent: (event) => console.log(event) });
  console.log(`${failure?.stack ?? 'every promise kept'}\ntrace ${traceHash}`);
  process.exitCode = failure === null ? 0 : 1;
} else if (values.mutants) {
  await runMutants();
} else {
  await runAll();
}

/** For each mutant, the number of seeds until a promise is broken, and which one. */
async function runMutants(): Promise<void> {
  const chosen =
    values.mutant === undefined ? MUTANTS : MUTANTS.slice(MUTANTS.findIndex((one) => one.name === values.mutant));
  for (const { name, promise } of chosen) {
    const reports = await runSeeds({
      first,
      count: Math.max(count, MOST_SEEDS_PER_MUTANT),
      jobs,
      mutant: name,
      stopAtFailure: true,
    });
    const noticed = reports.find(({ failure }) => failure !== null);
    if (noticed === undefined) {
      process.exitCode = 1;
    }
    console.log(
      `| ${name} | ${promise} | ${noticed === undefined ? 'never' : noticed.seed - first + 1} | ${noticed?.failure ?? ''} |`,
    );
  }
}

async function runAll(): Promise<void> {
  const { mutant } = values;
  const startedMs = performance.now();
  const isLong = count > 20;
  const reports = await runSeeds({
    first,
    count,
    jobs,
    stopAtFailure: true,
    ...(mutant === undefined ? {} : { mutant }),
    onReport: ({
      seed,
      failure,
      events,
      acknowledgedBatches,
      runsRead,
      assignments,
      swaps,
      compactions,
      traceHash,
    }) => {
      if (!isLong || failure !== null) {
        console.log(
          `seed ${seed}: ${failure ?? 'every promise kept'}; ${events} events, ${acknowledgedBatches} batches acknowledged, ` +
            `${runsRead} runs read, ${assignments} assignments, ${swaps} merged files (${compactions} compacted), trace ${traceHash.slice(0, 16)}`,
        );
      }
    },
  });
  const broken = reports.filter(({ failure }) => failure !== null);
  for (const { seed, recent } of broken.slice(0, 1)) {
    console.error(`${recent.join('\n')}\nagain: npm run sim -- --seed ${seed} --verbose`);
  }
  const cpuMs = reports.reduce((sum, { ms }) => sum + ms, 0);
  console.log(
    `${reports.length} seeds, ${broken.length} broken, ${((performance.now() - startedMs) / 1_000).toFixed(1)} s, ` +
      `${(cpuMs / Math.max(1, reports.length)).toFixed(0)} ms per seed`,
  );
  process.exitCode = broken.length === 0 ? 0 : 1;
}
