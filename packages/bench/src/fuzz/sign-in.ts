// `npm run fuzz:sign-in`: coverage-guided fuzzing of what a Kafka client can send before it has signed in, one process per target. Fails on a
// panic, and when a target's memory grows. What was found lies in apps/agent/fuzz/artifacts.
//   --cpu-minutes 120    for all targets together
//   --report-minutes 5   how often memory is printed
//   --targets a,b        instead of all
//   --no-build           runs the programs as they are
import { spawn, spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FuzzProcess, type FuzzReading } from './fuzz-process.ts';
import { memoryGrowthMib } from './memory-growth.ts';

const folder = fileURLToPath(new URL('../../../../apps/agent/fuzz', import.meta.url));
const TARGETS = ['connection', 'sign_in', 'tokens', 'certificates'];
const CARGO_FUZZ = '0.13.2';
/** libFuzzer keeps its inputs and their coverage in memory, and goes on finding some. */
const ALLOWED_GROWTH_MIB = 32;
const SAMPLE_INTERVAL_MS = 5_000;

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
  const { target, executions, cpuSeconds, rssMib } = reading;
  process.stdout.write(
    `${String(Math.round(sinceStart / 60_000)).padStart(4)} min  ${target.padEnd(12)} ${executions.toLocaleString('en-US').padStart(14)} executions  ${cpuSeconds.toFixed(0).padStart(6)} CPU-s  ${rssMib.toFixed(1).padStart(7)} MiB\n`,
  );
}

async function fuzz(target: string): Promise<boolean> {
  const corpus = join(folder, 'corpus', target);
  const artifacts = join(folder, 'artifacts', target);
  await Promise.all([mkdir(corpus, { recursive: true }), mkdir(artifacts, { recursive: true })]);
  const binary = join(folder, 'target/x86_64-unknown-linux-gnu/release', target);
  const args = [`-artifact_prefix=${artifacts}/`, '-timeout=30', '-rss_limit_mb=1024', '-print_final_stats=1', corpus];
  const running = new FuzzProcess(target, spawn(binary, args, { stdio: ['ignore', 'ignore', 'pipe'] }));
  const startMs = performance.now();
  const rss: number[] = [];
  let nextReportMs = 0;
  while (running.isRunning) {
    const reading = await running.read();
    if (reading !== undefined) {
      rss.push(reading.rssMib);
      const sinceStartMs = performance.now() - startMs;
      if (sinceStartMs >= nextReportMs) {
        print(reading, sinceStartMs);
        nextReportMs += reportIntervalMs;
      }
      if (reading.cpuSeconds >= cpuSecondsEach) {
        running.stop();
      }
    }
    await running.endedWithin(SAMPLE_INTERVAL_MS);
  }
  const { last, isFailed, output } = running;
  if (last !== undefined) {
    print(last, performance.now() - startMs);
  }
  if (isFailed) {
    process.stdout.write(`✗ ${target} failed:\n${output}\n`);
  }
  const growthMib = memoryGrowthMib(rss);
  const isFlat = growthMib <= ALLOWED_GROWTH_MIB;
  if (!isFlat) {
    process.stdout.write(`✗ ${target} grew by ${growthMib.toFixed(1)} MiB after the first quarter of the run\n`);
  }
  process.stdout.write(
    `${JSON.stringify({
      target,
      executions: last?.executions ?? 0,
      cpu_s: Number((last?.cpuSeconds ?? 0).toFixed(1)),
      panics: isFailed ? 1 : 0,
      rss_start_mib: Number((rss[0] ?? 0).toFixed(1)),
      rss_end_mib: Number((rss.at(-1) ?? 0).toFixed(1)),
      rss_growth_mib: Number(growthMib.toFixed(1)),
    })}\n`,
  );
  return !isFailed && isFlat;
}

if (!options['no-build']) {
  build();
}
const passed = await Promise.all(targets.map(fuzz));
process.exitCode = passed.every(Boolean) ? 0 : 1;
