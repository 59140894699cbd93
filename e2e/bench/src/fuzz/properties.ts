// `npm run fault -- fuzz`: runs the properties of *.fuzz.test.ts with a new seed, each for minutes, and adds seed, hours and
// executions to e2e/bench/fuzz.json. Fails if a property fails; its log has the seed and the smallest input.
//   --minutes 10   for each property
//   --seed 42      instead of a new one
//   --files rest   only files whose path contains this
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { addRuns, type FuzzResults, type FuzzRun } from './fuzz-results.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const resultsFile = join(root, 'e2e/bench/fuzz.json');

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(randomInt(2 ** 31 - 1)) },
    files: { type: 'string', default: '' },
  },
});
const seconds = Number(options.minutes) * 60;
if (!(seconds > 0)) {
  throw new Error('--minutes must be above 0.');
}

const commit = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim();
const files = globSync('{apps,packages}/*/src/**/*.fuzz.test.ts', { cwd: root })
  .filter((file) => file.includes(options.files))
  .sort();
const folder = await mkdtemp(join(tmpdir(), 'penstock-fuzz-'));
const report = join(folder, 'runs.jsonl');
let isPassed = files.length > 0;
for (const file of files) {
  process.stdout.write(`${file}, seed ${options.seed}\n`);
  // A property ends when its time is over; a test must not end it before.
  const timeoutMs = String(seconds * 1_000 + 300_000);
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'packages/config/vitest.config.ts',
      `--testTimeout=${timeoutMs}`,
      file,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        PENSTOCK_FUZZ_SEED: options.seed,
        PENSTOCK_FUZZ_SECONDS: String(seconds),
        PENSTOCK_FUZZ_REPORT: report,
      },
    },
  );
  isPassed &&= status === 0;
}
const lines = await readFile(report, 'utf8').catch(() => '');
await rm(folder, { recursive: true });
const runs = lines
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as FuzzRun);
const results = JSON.parse(await readFile(resultsFile, 'utf8')) as FuzzResults;
const added = addRuns(results, commit, runs);
await writeFile(resultsFile, `${JSON.stringify(added, null, 2)}\n`);
process.stdout.write(`${JSON.stringify(added)}\n`);
process.exitCode = isPassed ? 0 : 1;
