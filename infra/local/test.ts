// `npm test [group]`: lets turbo run every step, prints how long each took, and prints `N passed, N failed` at the end. The groups are
// the tasks `gate:…` of turbo.json, and a step is a script that starts step.ts.
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { penstockHome } from './paths.ts';
import { complain, LocalError, seconds } from './terminal.ts';
import type { Outcome } from './test-outcome.ts';
import { startTurbo, tasksBefore } from './turbo.ts';

const groups = ['static', 'unit', 'rust', 'e2e', 'browser'];
/** Runs after the unit tests' group, when nothing else runs. */
const TIMED = 'timed';
const logFolder = join(penstockHome(), 'test-logs');

/** The chosen groups' tasks of turbo, with their steps. */
async function stepsOf(chosen: string[]): Promise<string[]> {
  const steps = await Promise.all(chosen.map((group) => tasksBefore(`gate:${group}`)));
  return steps.flatMap((tasks) => tasks ?? []);
}

/** One line of turbo's output: of a task, or of turbo itself. */
function eventOf(line: string): { source: string; text: string } {
  return line.startsWith('{')
    ? (JSON.parse(line) as { source: string; text: string })
    : { source: 'turbo', text: line };
}

/** Runs the groups, prints the lines that steps report, and returns what turbo said itself. */
async function runGroups(chosen: string[]): Promise<string[]> {
  const turbo = startTurbo([...chosen.map((group) => `gate:${group}`), '--continue', '--force', '--concurrency=20'], {
    PENSTOCK_TEST_LOGS: logFolder,
    NEXT_TELEMETRY_DISABLED: '1',
    // Caches Node's compiled modules across processes: the steps start hundreds of our programs, and each starts in half the time.
    NODE_COMPILE_CACHE: join(penstockHome(), 'compile-cache'),
  });
  let isEnding = false;
  const end = (): void => {
    isEnding = true;
    if (turbo.pid !== undefined && turbo.exitCode === null) {
      process.kill(-turbo.pid, 'SIGTERM');
    }
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  // The bootstrap process is gone, so no process would pass a signal on.
  process.on('disconnect', end);
  const ended = new Promise((resolve) => turbo.once('exit', resolve));
  const said: string[] = [];
  turbo.stderr?.on('data', (text: Buffer) => said.push(String(text)));
  if (turbo.stdout !== null) {
    for await (const line of createInterface({ input: turbo.stdout })) {
      const { source, text } = eventOf(line);
      if (/^(?:[✓✗] | {4})/.test(text) && source !== 'turbo') {
        process.stdout.write(`${text}\n`);
      } else {
        said.push(`${source}: ${text}`);
      }
    }
  }
  await ended;
  if (isEnding) {
    process.exit(130);
  }
  return said;
}

async function main(): Promise<void> {
  const [group] = process.argv.slice(2);
  if (group !== undefined && !groups.includes(group)) {
    throw new LocalError(`There is no group of tests "${group}".`, `Groups: ${groups.join(', ')}.`);
  }
  const chosen = group === undefined ? groups : [group];
  await rm(logFolder, { recursive: true, force: true });
  await mkdir(logFolder, { recursive: true });

  const startMs = performance.now();
  const said = await runGroups(chosen);
  const last = chosen.includes('unit') ? [TIMED] : [];
  if (last.length > 0) {
    said.push(...(await runGroups(last)));
  }
  const files = (await readdir(logFolder)).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(files.map((name) => readFile(join(logFolder, name), 'utf8')));
  const outcomes = texts.map((text) => JSON.parse(text) as Outcome);
  const missing = (await stepsOf([...chosen, ...last])).filter(
    (task) => !outcomes.some((outcome) => outcome.task === task),
  );
  const broken = outcomes.filter(({ isPassed }) => !isPassed);
  const total = (count: 'passed' | 'failed'): number => outcomes.reduce((sum, outcome) => sum + outcome[count], 0);
  process.stdout.write(`\n${outcomes.length} steps in ${seconds(performance.now() - startMs)}\n`);
  for (const { name, reason, logFile } of broken) {
    process.stdout.write(`✗ ${name}: ${reason ?? logFile}\n`);
  }
  for (const task of missing) {
    process.stdout.write(`✗ ${task}: it did not run\n`);
  }
  if (missing.length > 0) {
    process.stdout.write(`${said.join('\n')}\n`);
  }
  process.stdout.write(`${total('passed')} passed, ${total('failed') + missing.length} failed\n`);
  process.exitCode = broken.length + missing.length === 0 ? 0 : 1;
}

main()
  .catch((error: unknown) => {
    complain(error);
    process.exitCode = 1;
  })
  .finally(() => process.exit());
