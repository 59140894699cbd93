// `npm run fault -- fuzz-agent`: coverage-guided fuzzing of the bytes that an agent reads after a client has signed in (see fuzz-targets.ts).
// Adds executions, CPU hours and seed to e2e/bench/fuzz.json.
//   --minutes 10        of CPU time, for each target
//   --group requests    or batches, files, events; all of them by default
//   --seed 42           instead of a new one
//   --report-minutes 5  how often memory is printed
//   --no-build          runs the programs as they are
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { addRuns, type FuzzResults, type FuzzRun } from './fuzz-results.ts';
import { buildTargets, fuzzTarget } from './fuzz-targets.ts';

/** Targets by group. A group's name in the results says that it is the agent's. */
const GROUPS: ReadonlyMap<string, readonly string[]> = new Map([
  ['requests', ['requests']],
  ['batches', ['batches']],
  ['files', ['files']],
  ['events', ['events', 'answers']],
]);
const resultsFile = fileURLToPath(new URL('../../fuzz.json', import.meta.url));

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    group: { type: 'string' },
    seed: { type: 'string', default: String(randomInt(2 ** 31 - 1)) },
    'report-minutes': { type: 'string', default: '5' },
    'no-build': { type: 'boolean', default: false },
  },
});
const cpuSeconds = Number(options.minutes) * 60;
const reportIntervalMs = Number(options['report-minutes']) * 60_000;
if (!(cpuSeconds > 0 && reportIntervalMs > 0)) {
  throw new Error('--minutes and --report-minutes must be above 0.');
}
const groups = options.group === undefined ? [...GROUPS.keys()] : [options.group];
const targets = groups.flatMap((group) => (GROUPS.get(group) ?? []).map((target) => ({ group, target })));
if (targets.length === 0) {
  throw new Error(`--group must be one of ${[...GROUPS.keys()].join(', ')}.`);
}

const seed = Number(options.seed);
const commit = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
if (!options['no-build']) {
  buildTargets(targets.map(({ target }) => target));
}
const runs: FuzzRun[] = [];
for (const { group, target } of targets) {
  const outcome = await fuzzTarget({ target, cpuSeconds, reportIntervalMs, seed });
  const { executions, isPassed } = outcome;
  runs.push({
    group: `agent-${group}`,
    property: target,
    seed,
    executions,
    cpuSeconds: outcome.cpuSeconds,
    isFailed: !isPassed,
  });
}
const results = JSON.parse(await readFile(resultsFile, 'utf8')) as FuzzResults;
const added = addRuns(results, commit, runs);
await writeFile(resultsFile, `${JSON.stringify(added, null, 2)}\n`);
process.exitCode = runs.some(({ isFailed }) => isFailed) ? 1 : 0;
