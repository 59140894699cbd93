// npm run sim -- --agents [--seeds A..B] [--scenario NAME] [--seconds S] [--workers W] [--record] [--mutants [--only NAME,NAME] [--most N]]:
// runs seeds of the agents' simulation, or each mutant until it is noticed. --record adds the run to e2e/bench/agent-sim.json, or the
// verdicts to e2e/bench/agent-mutants.json.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { buildSimulation } from './build-simulation.ts';
import { noticeMutants } from './mutants/notice-mutants.ts';
import { recordRun, type Summary } from './record-run.ts';

const { values } = parseArgs({
  options: {
    agents: { type: 'boolean', default: false },
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1..11' },
    seconds: { type: 'string', default: '60' },
    workers: { type: 'string', default: String(availableParallelism()) },
    scenario: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    without: { type: 'string' },
    record: { type: 'boolean', default: false },
    mutants: { type: 'boolean', default: false },
    only: { type: 'string' },
    most: { type: 'string', default: '200' },
  },
});

if (values.mutants) {
  const unnoticed = await noticeMutants({
    only: values.only?.split(','),
    firstSeed: Number(values.seed ?? 1),
    mostSeeds: Number(values.most),
    workers: Number(values.workers),
    seconds: Number(values.seconds),
    isRecorded: values.record,
  });
  if (unnoticed.length > 0) {
    console.log(`not noticed: ${unnoticed.join(', ')}`);
    process.exitCode = 1;
  }
} else {
  await runSeeds();
}

async function runSeeds(): Promise<void> {
  const program = buildSimulation();
  const one =
    values.seed === undefined ? ['--seeds', values.seeds, '--workers', values.workers] : ['--seed', values.seed];
  const args = [
    ...one,
    ...(values.scenario === undefined ? ['--seconds', values.seconds] : ['--scenario', values.scenario]),
    ...(values.without === undefined ? [] : ['--without', values.without]),
    ...(values.verbose ? ['--verbose'] : []),
    ...(values.shrink ? ['--shrink'] : []),
  ];
  const { output, code } = await run(program, args);
  process.exitCode = code;
  if (values.record && values.seed === undefined) {
    recordRun(JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as Summary);
  }
}

/** Runs a program, and shows and returns what it prints. */
function run(program: string, args: string[]): Promise<{ output: string; code: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      process.stdout.write(text);
      output = `${output}${text}`.slice(-1 << 16);
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ output, code: code ?? 1 }));
  });
}
