// Builds the coverage-guided fuzz targets of the agent (apps/agent/fuzz) and runs them, one process per target. What was found lies in
// apps/agent/fuzz/artifacts. A target fails on a panic, and when memory is not flat, which is checked in two ways, because libFuzzer keeps
// each new input with its coverage and so grows itself: the target compares what the agent's code holds of the heap after each execution, and
// afterwards another process runs the inputs that were found, over and over, without keeping any.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FuzzProcess, type FuzzReading } from './fuzz-process.ts';
import { memoryGrowth } from './memory-growth.ts';

const folder = fileURLToPath(new URL('../../../../apps/agent/fuzz', import.meta.url));
const SAMPLE_INTERVAL_MS = 5_000;
/** How often an input that was found is run again. */
const REPLAYS = 100;
/** At most so many inputs are run again, ... */
const MOST_REPLAYED_INPUTS = 1_000;
/** ... and fewer if that would take longer than a quarter of the search, ... */
const REPLAY_SHARE = 4;
/** ... but so many in any case. */
const LEAST_REPLAYED_INPUTS = 10;
const REPLAY_SAMPLE_INTERVAL_MS = 100;
/** Inputs need different amounts of memory. */
const ALLOWED_REPLAY_GROWTH_MIB = 2;

export interface TargetRun {
  target: string;
  /** CPU time until it is stopped. */
  cpuSeconds: number;
  reportIntervalMs: number;
  /** Seed of libFuzzer's random numbers; a new one if undefined. */
  seed?: number;
}

export interface TargetOutcome {
  isPassed: boolean;
  executions: number;
  cpuSeconds: number;
}

/**
 * Builds targets with the profile of the agent's tests, our own crates instrumented (rustc-with-coverage.sh). Without a sanitizer: the agent
 * has no unsafe code of its own, its memory can be compared, and a stable compiler does.
 */
export function buildTargets(targets: readonly string[]): void {
  const profiles = ['../test-profile.toml', 'profile.toml'].flatMap((file) => ['--config', file]);
  const bins = targets.flatMap((target) => ['--bin', target]);
  const env = { ...process.env, RUSTC_WRAPPER: join(folder, 'rustc-with-coverage.sh'), CARGO_TARGET_DIR: 'target' };
  const { status } = spawnSync('cargo', ['build', '--release', '--locked', ...profiles, ...bins], {
    cwd: folder,
    env,
    stdio: 'inherit',
  });
  if (status !== 0) {
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
  const binary = join(folder, 'target/release', target);
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

/**
 * Runs inputs that were found, over and over. Returns resident memory over time, in MiB; undefined when it failed.
 * @param executions of the search
 */
async function replay(target: string, executions: number): Promise<number[] | undefined> {
  const inputs = (await readdir(join(folder, 'corpus', target))).sort();
  if (inputs.length === 0) {
    return [];
  }
  const affordable = Math.max(LEAST_REPLAYED_INPUTS, Math.floor(executions / REPLAYS / REPLAY_SHARE));
  const count = Math.min(inputs.length, MOST_REPLAYED_INPUTS, affordable);
  const step = inputs.length / count;
  const chosen = Array.from({ length: count }, (_, index) => inputs[Math.floor(index * step)] ?? '');
  const running = start(target, [`-runs=${REPLAYS}`, '-timeout=30', ...chosen], true);
  const rss: number[] = [];
  await watch(running, REPLAY_SAMPLE_INTERVAL_MS, (reading) => rss.push(reading.rssMib));
  return running.isFailed ? undefined : rss;
}

/** Fuzzes a target from its corpus and the seeds in the tree, then replays what it found. */
export async function fuzzTarget({ target, cpuSeconds, reportIntervalMs, seed }: TargetRun): Promise<TargetOutcome> {
  const corpus = join(folder, 'corpus', target);
  const artifacts = join(folder, 'artifacts', target);
  await Promise.all([mkdir(corpus, { recursive: true }), mkdir(artifacts, { recursive: true })]);
  const seeds = join(folder, 'seeds', target);
  const args = [
    `-artifact_prefix=${artifacts}/`,
    '-timeout=30',
    '-rss_limit_mb=1024',
    '-print_final_stats=1',
    ...(seed === undefined ? [] : [`-seed=${seed}`]),
    corpus,
    ...(existsSync(seeds) ? [seeds] : []),
  ];
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
    if (reading.cpuSeconds >= cpuSeconds) {
      running.stop();
    }
  });
  const { last, isFailed, heldBytes } = running;
  if (last !== undefined) {
    print(last, performance.now() - startMs);
  }
  const replayed = isFailed ? undefined : await replay(target, last?.executions ?? 0);
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
  return {
    isPassed: replayed !== undefined && isFlat,
    executions: last?.executions ?? 0,
    cpuSeconds: last?.cpuSeconds ?? 0,
  };
}
