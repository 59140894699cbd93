// Programs that npm runs by name: `npm run bench -- <name>` and `npm run fault -- <name>`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pinnedNode, root } from './paths.ts';

export interface Program {
  /** Relative to the root. */
  file: string;
  what: string;
  /** Whether the agent is built first. Programs that build it themselves say no. */
  startsAgents: boolean;
}

export type Programs = ReadonlyMap<string, Program>;

export const benchmarks: Programs = new Map(
  Object.entries({
    agent: 'CPU per GiB, latency and requests of an agent',
    api: 'a call of the public API at 50 in flight',
    backlog: 'reading a backlog of many partitions, before and after merging',
    charts: 'time-series charts, ours and with Recharts',
    connections: 'a client beside thousands of idle connections and handshakes that do not end',
    'dead-files': 'what the dead files of a day cost while they wait',
    'greedy-tenant': 'commits of one tenant while another floods its process',
    health: 'checks of a thousand clusters',
    'key-flood': 'commits while unknown agent keys arrive',
    longevity: 'the metadata service over 30 simulated days',
    metadata: 'durable commits per second',
    metering: 'journal entries folded per second',
    pricing: 'an estimate, and the pricing page',
    'rolling-restart': 'a rolling restart of consumers over 500 partitions',
    scaling: 'a cluster that goes from six agents to three and back',
    'single-producer': 'one untuned producer',
    telemetry: 'a thousand reporting agents',
    transactions: 'transactions of 100 records',
    worker: 'what active clusters cost the workers, and how far behind they are',
    workloads: 'the workloads of published comparisons at 2 % of their rate',
  }).map(([name, what]) => [name, { file: `e2e/bench/src/${name}.ts`, what, startsAgents: false }]),
);

export const faults: Programs = new Map(
  Object.entries({
    acl: ['e2e/clients/acls/main.ts', 'random requests under random ACLs, compared with Apache Kafka’s own authorizer'],
    clients: ['e2e/clients/checker/main.ts', 'real clients on a faulty bucket, with processes killed and suspended'],
    clocks: ['e2e/failover/clocks.ts', 'metadata processes with wrong clocks, and suspended'],
    compaction: ['e2e/clients/compaction-size.ts', 'a compacted topic whose compacting agent is killed'],
    differences: [
      'e2e/clients/small-differences/main.ts',
      'when sessions end and offsets expire, compared with Apache Kafka',
    ],
    ecosystem: [
      'e2e/clients/ecosystem/main.ts',
      'Streams, Connect, Flink, a schema registry and MirrorMaker, killed and restarted',
    ],
    fuzz: ['e2e/bench/src/fuzz/properties.ts', 'generated inputs for everything that reads bytes, texts or JSON'],
    'fuzz-agent': [
      'e2e/bench/src/fuzz/agent.ts',
      'coverage-guided fuzzing of requests, record batches, files and events that an agent reads',
    ],
    'fuzz-sign-in': [
      'e2e/bench/src/fuzz/sign-in.ts',
      'coverage-guided fuzzing of what a client sends before it signs in',
    ],
    merging: [
      'e2e/clients/checker/merging-main.ts',
      'clients while files are merged and compacted, with processes killed',
    ],
    patroni: ['e2e/failover/patroni.ts', 'the primary of a Patroni pair killed and cut off under load'],
    stops: ['e2e/failover/stops.ts', 'SIGTERM of each program of the control plane under load, behind a proxy'],
    strangers: ['e2e/clients/strangers/main.ts', 'a hostile tenant beside an honest one'],
    takeover: ['e2e/failover/takeover.ts', 'the owner of a large cluster killed under load'],
    tools: ['e2e/clients/tools/main.ts', 'every console tool of Kafka, compared with Apache Kafka'],
    transactions: [
      'e2e/clients/transactions/fault-main.ts',
      'loops in transactions, with processes killed and suspended',
    ],
    zones: ['e2e/clients/zones.ts', 'GETs per file and zone'],
  } as const).map(([name, [file, what]]) => [
    name,
    { file, what, startsAgents: !name.startsWith('fuzz') && name !== 'stops' },
  ]),
);

/** The output of `--help`. */
export function helpOf(script: string, programs: Programs): string {
  const width = Math.max(...[...programs.keys()].map((name) => name.length));
  const lines = [...programs].map(([name, { what }]) => `  ${name.padEnd(width)}  ${what}`);
  return [`Usage: npm run ${script} -- <name> [options of the program]`, '', ...lines, ''].join('\n');
}

/**
 * Runs a program with the rest of the arguments and exits with its exit code. Without a name, prints the list.
 * @param prepare runs before a program that starts agents
 */
export async function runNamed(
  script: string,
  programs: Programs,
  [name, ...args]: string[],
  prepare: () => Promise<void>,
): Promise<void> {
  const program = programs.get(name ?? '');
  if (program === undefined) {
    const isAsked = name === '--help' || name === '-h';
    const problem = isAsked || name === undefined ? '' : `There is no program "${name}".\n\n`;
    (isAsked ? process.stdout : process.stderr).write(`${problem}${helpOf(script, programs)}`);
    process.exitCode = isAsked ? 0 : 1;
    return;
  }
  if (program.startsAgents) {
    await prepare();
  }
  await run(join(root, program.file), args, process.env);
}

/** Runs a program of the repository on the pinned Node, passes signals on, and exits with its exit code. */
export function run(file: string, args: string[], env: NodeJS.ProcessEnv): Promise<never> {
  const child = spawn(pinnedNode, ['--disable-warning=ExperimentalWarning', file, ...args], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  // Ctrl-C reaches the child from the terminal.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  // The bootstrap process is gone, so no process would pass a signal on.
  process.on('disconnect', () => child.kill('SIGTERM'));
  return new Promise(() => {
    child.on('exit', (code) => process.exit(code ?? 1));
  });
}
