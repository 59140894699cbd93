// `npm run fault -- fuzz-sign-in`: coverage-guided fuzzing of what a Kafka client can send before it has signed in (see fuzz-targets.ts).
//   --cpu-minutes 120    for all targets together
//   --report-minutes 5   how often memory is printed
//   --targets a,b        instead of all
//   --no-build           runs the programs as they are
import { parseArgs } from 'node:util';
import { buildTargets, fuzzTarget } from './fuzz-targets.ts';

const TARGETS = ['connection', 'sign_in', 'tokens', 'certificates'];

const { values: options } = parseArgs({
  options: {
    'cpu-minutes': { type: 'string', default: '120' },
    'report-minutes': { type: 'string', default: '5' },
    targets: { type: 'string', default: TARGETS.join(',') },
    'no-build': { type: 'boolean', default: false },
  },
});
const targets = options.targets.split(',');
const cpuSecondsEach = (Number(options['cpu-minutes']) * 60) / targets.length;
const reportIntervalMs = Number(options['report-minutes']) * 60_000;
if (!(cpuSecondsEach > 0 && reportIntervalMs > 0)) {
  throw new Error('--cpu-minutes and --report-minutes must be above 0.');
}

if (!options['no-build']) {
  buildTargets(targets);
}
const outcomes = await Promise.all(
  targets.map((target) => fuzzTarget({ target, cpuSeconds: cpuSecondsEach, reportIntervalMs })),
);
process.exitCode = outcomes.every(({ isPassed }) => isPassed) ? 0 : 1;
