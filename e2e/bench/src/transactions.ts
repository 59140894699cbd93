// `npm run bench -- transactions`: Java producers that send 100 records of 1 KiB per transaction, to an agent on local storage and to one Apache
// Kafka broker in the same run; and the same records without transactions, as the baseline. Prints what each costs per 1,000 transactions.
// PENSTOCK_BENCH_SCALE=0.1 makes a quick run.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildAgent } from '../../../infra/local/build.ts';
import { javaClassPath } from '../../../infra/local/tools.ts';
import { describeMachine } from './machine.ts';
import { cpuSeconds, cpuSecondsOfTree } from './process-usage.ts';
import { reportResult, rounded } from './results.ts';
import { withKafka, withPenstock } from './servers.ts';

const PARTITIONS = 12;
const PRODUCERS = 16;
const RECORDS = 100;
const scale = Number(process.env['PENSTOCK_BENCH_SCALE'] ?? 1);
const warmUpGroups = Math.max(1, Math.round(30 * scale));
const groups = Math.max(1, Math.round(100 * scale));

/** By the name of the process, its CPU time so far in seconds. */
type CpuReading = () => Promise<Record<string, number>>;

interface Measured {
  perSecond: number;
  commitP50Ms: number;
  commitP99Ms: number;
  groupP50Ms: number;
  groupP99Ms: number;
  /** CPU seconds per 1,000 groups of records, by process. */
  cpuS: Record<string, number>;
}

interface LoadOutput {
  groups: number;
  seconds: number;
  commit_p50_ms: number;
  commit_p99_ms: number;
  group_p50_ms: number;
  group_p99_ms: number;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function measure(bootstrap: string, cpu: CpuReading, isTransactional: boolean): Promise<Measured> {
  const classPath = await javaClassPath(join(import.meta.dirname, '../java/TransactionLoad.java'));
  const topic = isTransactional ? 'transactions' : 'plain';
  const sizes = [PARTITIONS, PRODUCERS, RECORDS, warmUpGroups, groups].map(String);
  const args = ['-Xmx1g', '-XX:+UseParallelGC', '-cp', classPath, 'TransactionLoad', bootstrap, topic, ...sizes];
  const child = spawn('java', [...args, String(isTransactional)], { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let before: Record<string, number> = {};
  let after: Record<string, number> = {};
  let lastLine = '';
  for await (const line of createInterface({ input: child.stdout })) {
    lastLine = line;
    if (line === 'ready') {
      before = await cpu();
      child.stdin.write('\n');
    } else {
      after = await cpu();
    }
  }
  if ((await ended) !== 0) {
    throw new Error(`The producers failed:\n${errors.slice(-3_000)}`);
  }
  const output = JSON.parse(lastLine) as LoadOutput;
  return {
    perSecond: output.groups / output.seconds,
    commitP50Ms: output.commit_p50_ms,
    commitP99Ms: output.commit_p99_ms,
    groupP50Ms: output.group_p50_ms,
    groupP99Ms: output.group_p99_ms,
    cpuS: Object.fromEntries(
      Object.entries(after).map(([name, used]) => [name, ((used - (before[name] ?? 0)) / output.groups) * 1_000]),
    ),
  };
}

interface Pair {
  transactions: Measured;
  plain: Measured;
}

async function measureBoth(name: string, bootstrap: string, cpu: CpuReading): Promise<Pair> {
  const transactions = await measure(bootstrap, cpu, true);
  show(`${name}, in transactions`, transactions);
  const plain = await measure(bootstrap, cpu, false);
  show(`${name}, without`, plain);
  return { transactions, plain };
}

function show(what: string, measured: Measured): void {
  const cpu = Object.entries(measured.cpuS).map(([name, s]) => `${name.replaceAll('_', ' ')} ${s.toFixed(2)}`);
  const times = [measured.commitP50Ms, measured.commitP99Ms, measured.groupP50Ms, measured.groupP99Ms];
  const cells = [measured.perSecond, ...times].map((value) => value.toFixed(1).padStart(11));
  say(`  ${what.padEnd(34)}${cells.join('')}  ${cpu.join(', ')}`);
}

function figures(prefix: string, measured: Measured): Record<string, number> {
  return {
    [`${prefix}per_s`]: rounded(measured.perSecond, 1),
    [`${prefix}commit_p50_ms`]: rounded(measured.commitP50Ms, 1),
    [`${prefix}commit_p99_ms`]: rounded(measured.commitP99Ms, 1),
    [`${prefix}whole_p50_ms`]: rounded(measured.groupP50Ms, 1),
    [`${prefix}whole_p99_ms`]: rounded(measured.groupP99Ms, 1),
    ...Object.fromEntries(
      Object.entries(measured.cpuS).map(([name, s]) => [`${prefix}${name}_cpu_s_per_1000`, rounded(s, 3)]),
    ),
  };
}

await buildAgent();
const loadBefore = loadavg()[0] ?? 0;
say(`${PRODUCERS} Java producers, ${PARTITIONS} partitions, ${RECORDS} records of 1 KiB per transaction or flush.\n`);
const heads = ['per s', 'end p50 ms', 'end p99 ms', 'p50 ms', 'p99 ms'].map((head) => head.padStart(11)).join('');
say(`  ${''.padEnd(34)}${heads}  CPU s per 1,000`);
const penstock = await withPenstock(async ({ bootstrap, pid }, system, home) => {
  const postmaster = Number((await readFile(join(home, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]);
  const service = system.metadata[0]?.process.pid;
  if (service === undefined) {
    throw new Error('The metadata service does not run');
  }
  return await measureBoth('Penstock', bootstrap, async () => ({
    agent: await cpuSeconds(pid),
    service: await cpuSeconds(service),
    postgresql: await cpuSecondsOfTree(postmaster),
  }));
});
const kafka = await withKafka(({ bootstrap, pid }) =>
  measureBoth('Apache Kafka', bootstrap, async () => ({ broker: await cpuSeconds(pid) })),
);
await reportResult('transactions', {
  ...figures('', penstock.transactions),
  ...figures('plain_', penstock.plain),
  ...figures('kafka_', kafka.transactions),
  ...figures('kafka_plain_', kafka.plain),
  load: { partitions: PARTITIONS, producers: PRODUCERS, records_per_transaction: RECORDS, record_bytes: 1_024 },
  transactions: groups * PRODUCERS,
  load_average_before: rounded(loadBefore, 2),
  machine: await describeMachine(),
});
