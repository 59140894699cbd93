// npm run sim -- [--seeds N] [--seed S]: runs seeds S to S + N - 1.
import { parseArgs } from 'node:util';
import { simulate } from './simulation.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
  },
});
const first = Number(values.seed);
const startedMs = performance.now();
for (let seed = first; seed < first + Number(values.seeds); seed += 1) {
  const result = await simulate(seed, values.verbose ? (event) => console.log(event) : undefined);
  const { failure, events, acknowledgedBatches, runsRead, traceHash } = result;
  console.log(
    `seed ${seed}: ${failure === null ? 'every promise kept' : 'BROKEN'}; ${events} events, ` +
      `${acknowledgedBatches} batches acknowledged, ${runsRead} runs read, trace ${traceHash.slice(0, 16)}`,
  );
  if (failure !== null) {
    console.error(result.recent.slice(-25).join('\n'));
    console.error(failure);
    console.error(`again: npm run sim -- --seed ${seed}`);
    process.exitCode = 1;
    break;
  }
}
console.log(`${((performance.now() - startedMs) / Number(values.seeds)).toFixed(1)} ms per seed`);
