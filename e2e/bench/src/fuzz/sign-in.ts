// `npm run fault -- fuzz-sign-in`: coverage-guided fuzzing of what a Kafka client can send before it has signed in, one process per target. What was
// found lies in apps/agent/fuzz/artifacts. Fails on a panic, and when memory is not flat, which it checks in two ways, because libFuzzer keeps
// each new input with its coverage and so grows itself: the target compares what the agent's code holds of the heap after each execution, and
// afterwards another process runs the inputs that were found, over and over, without keeping any.
//   --cpu-minutes 120    for all targets together
//   --report-minutes 5   how often memory is printed
//   --targets a,b        instead of all
//   --no-build           runs the programs as they are
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FuzzProcess, type FuzzReading } from './fuzz-process.ts';
import { memoryGrowth } from './memory-growth.ts';

const folder = fileURLToPath(new URL('../../../../apps/agent/fuzz', import.meta.url));
const TARGETS = ['connection', 'sign_in', 'tokens', 'certificates'];
const CARGO_FUZZ = '0.13.2';
const SAMPLE_INTERVAL_MS = 5_000;
/** How many of the inputs that were found are run again, ... */
const REPLAYED_INPUTS = 1_000;
/** ... and how often each. */
const REPLAYS = 100;
const REPLAY_SAMPLE_INTERVAL_MS = 100;
/** Inputs need different amounts of memory. */
const ALLOWED_REPLAY_GROWTH_MIB = 2;

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

function build(): void {
  if (spawnSync('cargo', ['fuzz', '--version'], { stdio: 'ignore' }).status !== 0) {
    throw new Error(`cargo-fuzz is missing. Install it: cargo install cargo-fuzz --version ${CARGO_FUZZ} --locked`);
  }
  // Without a sanitizer: the agent has no unsafe code of its own, its memory can be compared, and a stable compiler does.
  const args = ['fuzz', 'build', '--fuzz-dir', folder, '--sanitizer', 'none'];
  if (spawnSync('cargo', args, { cwd: folder, stdio: 'inherit' }).status !== 0) {
    throw new Error('The fuzz targets do not compile.');
  }
}

function print(reading: FuzzReading, sinceStart: number): void {
  const { target, executions, cpuSeconds, rssMib, heldBytes, corpusInputs } = reading;
  const held = heldBytes === undefined ? '' : `${(heldBytes / 1024).toFixed(1)} KiB held by the agent’s code`;
  process.stdout.write(
    `${String(Math.round(sinceStart / 60_000)).padStart(4)} min  ${target.padEnd(12)} ${executions.toLocaleString('en-US').padStart(14)} executions  ${cpuSeconds.toFixed(0).padStart(6)} CPU-s  ${rssMib.toFixed(1).padStart(7)} MiB  ${corpusInputs.toLocaleString('en-US').padStart(7)} inputs kept  ${held}\n`,
  );
}

/** Starts a target with these arguments of libFuzzer. */
function start(target: string, args: readonly string[], endsByItself: boolean): FuzzProcess {
  const binary = join(folder, 'target/x86_64-unknown-linux-gnu/release', target);
  const cwd = join(folder, 'corpus', target);
  return new FuzzProcess(target, spawn(binary, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] }), endsByItself);
}

/** Samples a process until it has ended. */
async function watch(
  running: FuzzProcess,
  intervalMs: number,
  onReading: (reading: FuzzReading) => void,
): Promise<void> {
  while (running.isRunning) {
    const reading = await running.read();
    if (reading !== undefined) {
      onReading(reading);
    }
    await running.endedWithin(intervalMs);
  }
  if (running.isFailed) {
    process.stdout.write(`✗ a target failed:\n${running.output}\n`);
  }
}

/** Runs inputs that were found, over and over. Returns resident memory over time, in MiB; undefined when it failed. */
async function replay(target: string): Promise<number[] | undefined> {
  const inputs = (await readdir(join(folder, 'corpus', target))).sort();
  if (inputs.length === 0) {
    return [];
  }
  const step = Math.max(1, inputs.length / REPLAYED_INPUTS);
  const chosen = Array.from(
    { length: Math.min(inputs.length, REPLAYED_INPUTS) },
    (_, index) => inputs[Math.floor(index * step)] ?? '',
  );
  const running = start(target, [`-runs=${REPLAYS}`, '-timeout=30', ...chosen], true);
  const rss: number[] = [];
  await watch(running, REPLAY_SAMPLE_INTERVAL_MS, (reading) => rss.push(reading.rssMib));
  return running.isFailed ? undefined : rss;
}

async function fuzz(target: string): Promise<boolean> {
  const corpus = join(folder, 'corpus', target);
  const artifacts = join(folder, 'artifacts', target);
  await Promise.all([mkdir(corpus, { recursive: true }), mkdir(artifacts, { recursive: true })]);
  const args = [`-artifact_prefix=${artifacts}/`, '-timeout=30', '-rss_limit_mb=1024', '-print_final_stats=1', corpus];
  const running = start(target, args, false);
  const startMs = performance.now();
  const rss: number[] = [];
  let nextReportMs = 0;
  await watch(running, SAMPLE_INTERVAL_MS, (reading) => {
    rss.push(reading.rssMib);
    const sinceStartMs = performance.now() - startMs;
    if (sinceStartMs >= nextReportMs) {
      print(reading, sinceStartMs);
      nextReportMs += reportIntervalMs;
    }
    if (reading.cpuSeconds >= cpuSecondsEach) {
      running.stop();
    }
  });
  const { last, isFailed, heldBytes } = running;
  if (last !== undefined) {
    print(last, performance.now() - startMs);
  }
  const replayed = isFailed ? undefined : await replay(target);
  const replayGrowthMib = memoryGrowth(replayed ?? []);
  const isFlat = replayGrowthMib <= ALLOWED_REPLAY_GROWTH_MIB;
  if (!isFlat) {
    process.stdout.write(`✗ ${target} grew by ${replayGrowthMib.toFixed(1)} MiB while the same inputs ran again\n`);
  }
  const rounded = (value: number | undefined): number | null => (value === undefined ? null : Number(value.toFixed(1)));
  process.stdout.write(
    `${JSON.stringify({
      target,
      executions: last?.executions ?? 0,
      cpu_s: rounded(last?.cpuSeconds),
      panics: isFailed || replayed === undefined ? 1 : 0,
      agent_held_start_bytes: heldBytes[0] ?? null,
      agent_held_end_bytes: heldBytes.at(-1) ?? null,
      agent_held_growth_bytes: Math.round(memoryGrowth(heldBytes)),
      rss_start_mib: rounded(rss[0]),
      rss_end_mib: rounded(rss.at(-1)),
      inputs_kept: last?.corpusInputs ?? 0,
      replay_rss_start_mib: rounded(replayed?.[Math.floor((replayed.length - 1) / 4)]),
      replay_rss_end_mib: rounded(replayed?.at(-1)),
      replay_rss_growth_mib: rounded(replayGrowthMib),
    })}\n`,
  );
  return replayed !== undefined && isFlat;
}

if (!options['no-build']) {
  build();
}
const passed = await Promise.all(targets.map(fuzz));
process.exitCode = passed.every(Boolean) ? 0 : 1;
