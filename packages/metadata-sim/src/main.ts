// node packages/metadata-sim/src/main.ts --seed N --steps M [--seeds K] [--mutant NAME]: runs seeds N to N + K - 1.
import { parseArgs } from 'node:util';
import { MUTANTS, RIGHT } from './behaviour.ts';
import { simulate } from './simulation.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '2000' },
    seeds: { type: 'string', default: '1' },
    mutant: { type: 'string' },
  },
});
const behaviour = values.mutant === undefined ? RIGHT : MUTANTS[values.mutant];
if (behaviour === undefined) {
  throw new Error(`no such mutant: choose one of ${Object.keys(MUTANTS).join(', ')}`);
}
const first = Number(values.seed);
const steps = Number(values.steps);
for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
  const result = await simulate(seed, steps, behaviour);
  const { failure, events, audits, acknowledgedBatches, assignments, traceHash } = result;
  console.log(
    `seed ${seed}: ${failure === null ? 'every promise kept' : 'BROKEN'}; ${events} events, ${audits} audits, ` +
      `${acknowledgedBatches} batches acknowledged, ${assignments} assignments, trace ${traceHash.slice(0, 16)}`,
  );
  if (failure !== null) {
    console.error(result.recent.join('\n'));
    console.error(failure);
    console.error(`again: node packages/metadata-sim/src/main.ts --seed ${seed} --steps ${steps}`);
    process.exitCode = 1;
    break;
  }
}
