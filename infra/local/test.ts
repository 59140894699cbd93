// `npm test [group]`: runs every step, prints how long each took, and prints `N passed, N failed` at the end.
// Groups: static, unit, rust, e2e, browser.
import { spawn } from 'node:child_process';
import { mkdir, open, readFile } from 'node:fs/promises';
import { cpus, setPriority } from 'node:os';
import { join } from 'node:path';
import { penstockHome, root } from './paths.ts';
import { complain, LocalError, seconds } from './terminal.ts';
import { countTests, stepsOf, type TestStep } from './test-steps.ts';

interface Outcome {
  step: TestStep;
  isPassed: boolean;
  duration_ms: number;
  passed: number;
  failed: number;
  /** How busy the machine was meanwhile: an idle core is time that another step could have used. */
  use: string;
  /** Why it failed, when its log does not say. */
  reason?: string;
}

const logFolder = join(penstockHome(), 'test-logs');
/** Caches Node's compiled modules across processes: the steps start hundreds of our programs, and each starts in half the time. */
const compileCache = join(penstockHome(), 'compile-cache');
/** A niceness that leaves a third of an equal share: a lower priority would starve a step for minutes. */
const PATIENCE = 5;
const running = new Set<ReturnType<typeof spawn>>();

/** Time that all cores together have worked and idled since the machine started. */
function coreTimes(): { busyMs: number; idleMs: number } {
  const sums = { busyMs: 0, idleMs: 0 };
  for (const { times } of cpus()) {
    sums.busyMs += times.user + times.nice + times.sys + times.irq;
    sums.idleMs += times.idle;
  }
  return sums;
}

/** Share of the cores' time that was used since then, by the run and everything else on the machine. */
function usedSince(start: ReturnType<typeof coreTimes>): string {
  const end = coreTimes();
  const busyMs = end.busyMs - start.busyMs;
  return `cores ${Math.round((100 * busyMs) / Math.max(1, busyMs + end.idleMs - start.idleMs))} % busy`;
}

function logFile(step: TestStep): string {
  return join(logFolder, `${step.name.replaceAll(/[^a-z0-9]+/gi, '-')}.log`);
}

async function runStep(step: TestStep): Promise<Outcome> {
  const startMs = performance.now();
  const startTimes = coreTimes();
  const log = await open(logFile(step), 'w');
  const child = spawn(step.command, step.args, {
    cwd: step.cwd ?? root,
    env: {
      ...process.env,
      FORCE_COLOR: '0',
      NO_COLOR: '1',
      NEXT_TELEMETRY_DISABLED: '1',
      NODE_COMPILE_CACHE: compileCache,
      ...step.env,
    },
    stdio: ['ignore', log.fd, log.fd],
  });
  running.add(child);
  if (step.isPatient === true && child.pid !== undefined) {
    setPriority(child.pid, PATIENCE);
  }
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      void log.write(`${error.message}\n`).then(() => resolve(127));
    });
    child.once('exit', resolve);
  });
  running.delete(child);
  await log.close();
  const durationMs = performance.now() - startMs;
  const use = usedSince(startTimes);
  if (step.count === undefined) {
    const isPassed = code === 0;
    return { step, isPassed, duration_ms: durationMs, use, passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1 };
  }
  const counts = countTests(step.count, await readFile(logFile(step), 'utf8'));
  if (counts === undefined) {
    return { step, isPassed: false, duration_ms: durationMs, use, passed: 0, failed: 1, reason: 'it ran no tests' };
  }
  const isPassed = code === 0 && counts.failed === 0;
  // A failure outside its tests (a set-up, a process that died) counts as one failure.
  return {
    step,
    isPassed,
    duration_ms: durationMs,
    use,
    passed: counts.passed,
    failed: isPassed ? 0 : Math.max(1, counts.failed),
  };
}

async function report(outcome: Outcome): Promise<void> {
  const { step, isPassed, duration_ms: durationMs, use, passed, failed, reason } = outcome;
  const tests = step.count === undefined ? '' : `  (${passed} passed, ${failed} failed)`;
  const time = seconds(durationMs).padStart(9);
  process.stdout.write(`${isPassed ? '✓' : '✗'} ${step.name.padEnd(50)} ${time}  ${use}${tests}\n`);
  if (isPassed) {
    return;
  }
  if (reason !== undefined) {
    process.stdout.write(`    ${reason}\n`);
  }
  const lines = (await readFile(logFile(step), 'utf8').catch(() => '')).trimEnd().split('\n').slice(-60);
  process.stdout.write(`${lines.map((line) => `    ${line}`).join('\n')}\n    whole log: ${logFile(step)}\n`);
}

async function runAll(steps: TestStep[]): Promise<Outcome[]> {
  const finished = new Map<string, Promise<Outcome>>();
  const settle = new Map<string, (outcome: Outcome) => void>();
  for (const step of steps) {
    finished.set(step.name, new Promise((resolve) => settle.set(step.name, resolve)));
  }
  const lane = async (name: TestStep['lane']): Promise<void> => {
    for (const step of steps.filter((other) => other.lane === name)) {
      const before = await Promise.all((step.after ?? []).map((needed) => finished.get(needed)));
      const broken = before.filter((outcome) => outcome?.isPassed === false).map((outcome) => outcome?.step.name);
      const outcome: Outcome =
        broken.length === 0
          ? await runStep(step)
          : {
              step,
              isPassed: false,
              duration_ms: 0,
              use: '',
              passed: 0,
              failed: 1,
              reason: `not run: ${broken.join(', ')} failed`,
            };
      await report(outcome);
      settle.get(step.name)?.(outcome);
    }
  };
  await Promise.all([lane('script'), lane('rust'), lane('system'), lane('browser')]);
  return Promise.all(finished.values());
}

async function main(): Promise<void> {
  const steps = stepsOf(process.argv[2]);
  if (steps === undefined) {
    throw new LocalError(
      `There is no group of tests "${process.argv[2]}".`,
      'Groups: static, unit, rust, e2e, browser.',
    );
  }
  await mkdir(logFolder, { recursive: true });
  const end = (): void => {
    for (const child of running) {
      child.kill('SIGTERM');
    }
    process.exit(130);
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  process.on('disconnect', end);

  const startMs = performance.now();
  const startTimes = coreTimes();
  const outcomes = await runAll(steps);
  const broken = outcomes.filter((outcome) => !outcome.isPassed);
  const total = (count: 'passed' | 'failed'): number => outcomes.reduce((sum, outcome) => sum + outcome[count], 0);
  const took = seconds(performance.now() - startMs);
  process.stdout.write(`\n${outcomes.length} steps in ${took}, ${usedSince(startTimes)}\n`);
  for (const { step, reason } of broken) {
    process.stdout.write(`✗ ${step.name}${reason === undefined ? '' : ` (${reason})`}: ${logFile(step)}\n`);
  }
  process.stdout.write(`${total('passed')} passed, ${total('failed')} failed\n`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}

main()
  .catch((error: unknown) => {
    complain(error);
    process.exitCode = 1;
  })
  .finally(() => process.exit());
