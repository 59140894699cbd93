// Runs one step of `npm test`, as the scripts of the packages declare it:
// `node step.ts <name> [--low-priority] [--tests vitest|cargo|playwright] [--after <name>] -- <command>`.
//
// `npm test` names a folder in PENSTOCK_TEST_LOGS. There, the step writes the command's output to a log and its outcome to a file, counts the
// tests, and prints one line, with the end of the log if it failed. Otherwise it only runs the command.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { cpus, getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seconds } from './terminal.ts';
import { countTests, fileOf, type Outcome, outcomeOf, type TestTool, testTools } from './test-outcome.ts';

/** A niceness that leaves a third of an equal share: a still lower priority would starve a step for minutes. */
const LOWER_PRIORITY = 5;
const LAST_LINES = 60;

interface Step {
  name: string;
  /** For steps that measure no time and that no step waits for. */
  isLowPriority: boolean;
  /** Whose report of passed and failed tests is in the output; a step without tests counts as one. */
  tests: TestTool | undefined;
  /** Steps without which this one is pointless. */
  after: string[];
  command: string[];
}

function stepFrom(args: string[]): Step {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'low-priority': { type: 'boolean', default: false },
      tests: { type: 'string' },
      after: { type: 'string', multiple: true, default: [] },
    },
  });
  const [name, ...command] = positionals;
  const tests = testTools.find((tool) => tool === values.tests);
  if (name === undefined || command.length === 0 || (values.tests !== undefined && tests === undefined)) {
    throw new Error(`Not a step: ${args.join(' ')}`);
  }
  return { name, isLowPriority: values['low-priority'], tests, after: values.after, command };
}

/** Time that all cores together have worked and idled since the machine started. */
function coreTimes(): { busyMs: number; idleMs: number } {
  const sums = { busyMs: 0, idleMs: 0 };
  for (const { times } of cpus()) {
    sums.busyMs += times.user + times.nice + times.sys + times.irq;
    sums.idleMs += times.idle;
  }
  return sums;
}

/** Share of the cores' time that was used since then, by everything on the machine: an idle core is time for another step. */
function usedSince(start: ReturnType<typeof coreTimes>): string {
  const end = coreTimes();
  const busyMs = end.busyMs - start.busyMs;
  return `cores ${Math.round((100 * busyMs) / Math.max(1, busyMs + end.idleMs - start.idleMs))} % busy`;
}

/** Linux counts a process's time in these units, on every architecture: USER_HZ, see proc_pid_stat(5). */
const TICKS_PER_SECOND = 100;

/**
 * CPU seconds of this process's descendants that have ended and were waited for. Daemons are not among them. Undefined where there is no
 * `/proc`.
 */
function cpuSecondsOfChildren(): number | undefined {
  try {
    // The second field, the program's name, is in parentheses and may hold spaces; `cutime` and `cstime` are the fields 16 and 17.
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

/** How much of the machine the step used, and how much everything on it used meanwhile. */
function timeUsedSince(start: ReturnType<typeof coreTimes>): string {
  const cpuSeconds = cpuSecondsOfChildren();
  const own = cpuSeconds === undefined ? '' : `${seconds(cpuSeconds * 1000).padStart(9)} CPU, `;
  return `${own}${usedSince(start)}`;
}

/** @param output a file descriptor for both outputs; undefined: this process's own */
function run({ command: [program = '', ...args], isLowPriority }: Step, output?: number): Promise<number> {
  if (isLowPriority) {
    // Before the start: what a command starts at once would keep the priority that it was born with.
    setPriority(Math.max(getPriority(), LOWER_PRIORITY));
  }
  const child = spawn(program, args, {
    stdio: output === undefined ? 'inherit' : ['ignore', output, output],
    env: output === undefined ? process.env : { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => child.kill('SIGTERM'));
  }
  return new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`${error.message}\n`);
      resolve(127);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

async function failedBefore(folder: string, { after }: Step): Promise<string[]> {
  const outcomes = await Promise.all(after.map((name) => outcomeOf(folder, name)));
  return after.filter((_name, index) => outcomes[index]?.isPassed === false);
}

async function runLogged(step: Step, folder: string): Promise<Outcome> {
  const { name } = step;
  const task = `${process.env['npm_package_name']}#${process.env['npm_lifecycle_event']}`;
  const logFile = join(folder, fileOf(name, 'log'));
  const broken = await failedBefore(folder, step);
  if (broken.length > 0) {
    const reason = `not run: ${broken.join(', ')} failed`;
    return { name, task, isPassed: false, durationMs: 0, use: '', passed: 0, failed: 1, reason };
  }
  const startMs = performance.now();
  const startTimes = coreTimes();
  const log = await open(logFile, 'w');
  const code = await run(step, log.fd).finally(() => log.close());
  const measured = { name, task, durationMs: performance.now() - startMs, use: timeUsedSince(startTimes), logFile };
  if (step.tests === undefined) {
    const isPassed = code === 0;
    return { ...measured, isPassed, passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1 };
  }
  const counts = countTests(step.tests, await readFile(logFile, 'utf8'));
  if (counts === undefined) {
    return { ...measured, isPassed: false, passed: 0, failed: 1, reason: 'it ran no tests' };
  }
  const isPassed = code === 0 && counts.failed === 0;
  // A failure outside its tests (a set-up, a process that died) counts as one failure.
  return { ...measured, isPassed, passed: counts.passed, failed: isPassed ? 0 : Math.max(1, counts.failed) };
}

async function report(step: Step, outcome: Outcome): Promise<void> {
  const { name, isPassed, durationMs, use, passed, failed, reason, logFile } = outcome;
  const tests = step.tests === undefined ? '' : `  (${passed} passed, ${failed} failed)`;
  const lines = [`${isPassed ? '✓' : '✗'} ${name.padEnd(50)} ${seconds(durationMs).padStart(9)}  ${use}${tests}`];
  if (reason !== undefined) {
    lines.push(`    ${reason}`);
  }
  if (!isPassed && logFile !== undefined) {
    const log = (await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-LAST_LINES);
    lines.push(...log.map((line) => `    ${line}`), `    whole log: ${logFile}`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

const step = stepFrom(process.argv.slice(2));
const folder = process.env['PENSTOCK_TEST_LOGS'];
if (folder === undefined) {
  process.exitCode = await run(step);
} else {
  const outcome = await runLogged(step, folder);
  await writeFile(join(folder, fileOf(step.name, 'json')), JSON.stringify(outcome));
  await report(step, outcome);
  process.exitCode = outcome.isPassed ? 0 : 1;
}
