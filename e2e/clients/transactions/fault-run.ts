// Consume-transform-produce loops and a Kafka Streams application in transactions, while agents, metadata processes and the loops themselves are killed and suspended.
import { join } from 'node:path';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { javaClassPath, kafkaEcosystemJars } from '../../../infra/local/tools.ts';
import { findVictim, strikeProcess, unexpectedDeaths } from '../checker/process-faults.ts';
import { JavaProgram } from '../ecosystem/java-program.ts';
import { randomNumbers } from '../support/random.ts';
import { type RunningProgram, run, start, until } from '../support/run.ts';
import { startTestSystem, type TestSystem } from '../support/system.ts';
import { judgeCounts, judgeOutput, type OutputRecord } from './judge-output.ts';

const [INPUT, OUTPUT, GROUP] = ['transform-in', 'transform-out', 'transform'];
const [INPUT_PARTITIONS, OUTPUT_PARTITIONS] = [8, 4];
const [COUNTS, COUNTING] = ['counts', 'count-by-key'];
const LOOPS = 4;
const AGENTS = 3;
const METADATA_PROCESSES = 2;
const FEED_INTERVAL_MS = 100;
const FEED_RECORDS = 20;
/** Only for hangs: what is left after the last fault. */
const TIMEOUT_MS = 180_000;
const [SHORTEST_FAULT_MS, LONGEST_FAULT_MS] = [500, 9_000];
const LONGEST_CALM_MS = 4_000;

export interface TransactionPlan {
  minutes: number;
  seed: number;
}

export interface TransactionOutcome {
  /** Records of the input. */
  records: number;
  /** Records of the output that a reader saw as they came. */
  followed: number;
  /** Transactions committed by loops that were not killed since. */
  committed: number;
  aborted: number;
  errors: number;
  faults: number;
  wrong: string[];
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function kafka(bootstrap: string): Kafka {
  return new Kafka({ brokers: bootstrap.split(','), logLevel: logLevel.NOTHING, retry: { retries: 20 } });
}

/** The loops, each with a transactional id of its own, and the Streams application. */
class Loops {
  readonly #programs: JavaProgram[];
  readonly #start: (at: number) => JavaProgram;

  constructor(classPath: string, bootstrap: string, home: string) {
    this.#start = (at) => {
      const isLoop = at < LOOPS;
      const args = isLoop
        ? [bootstrap, `loop-${at}`, GROUP, INPUT, OUTPUT]
        : [bootstrap, COUNTING, join(home, 'streams'), INPUT, COUNTS];
      return new JavaProgram(classPath, isLoop ? 'TransformLoop' : 'CountByKey', args);
    };
    this.#programs = Array.from({ length: LOOPS + 1 }, (_, at) => this.#start(at));
  }

  async strike(draw: number, how: 'killed' | 'suspended', forMs: number): Promise<void> {
    const at = Math.floor(draw * this.#programs.length);
    const program = this.#programs[at];
    if (how === 'suspended') {
      program?.signal('SIGSTOP');
      await sleep(forMs);
      program?.signal('SIGCONT');
      return;
    }
    await program?.kill();
    await sleep(forMs);
    this.#programs[at] = this.#start(at);
  }

  /** Stops them, and returns what they counted. */
  async stop(): Promise<{ committed: number; aborted: number; errors: number }> {
    const counted = await Promise.all(this.#programs.map((program) => program.ask('stop')));
    const [committed = 0, aborted = 0, errors = 0] = [0, 1, 2].map((column) =>
      counted.reduce((sum, [line]) => sum + Number(line?.split(' ')[column]), 0),
    );
    return { committed, aborted, errors };
  }

  async kill(): Promise<void> {
    await Promise.all(this.#programs.map((program) => program.kill()));
  }
}

/** Sends records until it is over. */
async function feed(bootstrap: string, isOver: () => boolean): Promise<void> {
  const producer = kafka(bootstrap).producer({ idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  for (let number = 0; !isOver(); number += FEED_RECORDS) {
    const messages = [...Array(FEED_RECORDS).keys()].map((at) => ({ key: `k${(number + at) % 97}`, value: 'x' }));
    // What was not acknowledged may be there or not: the input topic says what there is to transform.
    await producer.send({ topic: INPUT, messages }).catch(() => undefined);
    await sleep(FEED_INTERVAL_MS);
  }
  await producer.disconnect();
}

const READ_COMMITTED = ['-X', 'isolation.level=read_committed', '-o', 'beginning', '-q'];

/**
 * Reads the output at read_committed as it comes, with librdkafka. (kafkajs takes aborted transactions to be sorted by their first offset,
 * which Kafka does not promise, and shows records of those that overlap.)
 */
class Follower {
  readonly #program: RunningProgram;

  constructor(bootstrap: string) {
    const args = ['-C', '-b', bootstrap, '-t', OUTPUT, ...READ_COMMITTED, '-E', '-u', '-f', '%p %o %s\n'];
    this.#program = start('kcat', args);
  }

  /** The records seen so far, excluding a line that is still being written. */
  get seen(): OutputRecord[] {
    return outputOf(rowsOf(this.#program.stdout().replace(/[^\n]*$/, '')));
  }

  async stop(): Promise<void> {
    this.#program.child.kill();
    await this.#program.exited;
  }
}

/** All of a topic at read_committed, as librdkafka reads it; the words of each line. */
async function readByKcat(bootstrap: string, topic: string, format: string): Promise<string[][]> {
  const args = ['-C', '-b', bootstrap, '-t', topic, ...READ_COMMITTED, '-e', '-f', `${format}\n`];
  return rowsOf(await run('kcat', args));
}

function rowsOf(printed: string): string[][] {
  const lines = printed.split('\n').filter((line) => line !== '');
  return lines.map((line) => line.split(' '));
}

async function readOutput(bootstrap: string): Promise<OutputRecord[]> {
  return outputOf(await readByKcat(bootstrap, OUTPUT, '%p %o %s'));
}

function outputOf(rows: readonly string[][]): OutputRecord[] {
  return rows.map(([partition, offset, value = '']) => ({
    partition: Number(partition),
    offset: Number(offset),
    value,
  }));
}

/** Records of each key of the input, and the last count that Streams wrote for it. */
async function readCounts(bootstrap: string): Promise<[expected: Map<string, number>, counted: Map<string, number>]> {
  const expected = new Map<string, number>();
  for (const [key = ''] of await readByKcat(bootstrap, INPUT, '%k')) {
    expected.set(key, (expected.get(key) ?? 0) + 1);
  }
  const counted = await readByKcat(bootstrap, COUNTS, '%k %s');
  return [expected, new Map(counted.map(([key = '', count]) => [key, Number(count)]))];
}

async function ends(admin: Admin, topic: string): Promise<number[]> {
  const offsets = await admin.fetchTopicOffsets(topic);
  return offsets.sort((a, b) => a.partition - b.partition).map(({ high }) => Number(high));
}

/** Returns the committed offsets of the input. */
async function committedOffsets(admin: Admin, groupId: string): Promise<number[]> {
  const [topic] = await admin.fetchOffsets({ groupId, topics: [INPUT] });
  const partitions = [...(topic?.partitions ?? [])].sort((a, b) => a.partition - b.partition);
  return partitions.map(({ offset }) => Number(offset));
}

interface Struck {
  faults: number;
}

/** One fault after the other, until the time is over. */
async function strike(
  system: TestSystem,
  loops: Loops,
  { minutes, seed }: TransactionPlan,
  say: (line: string) => void,
): Promise<Struck> {
  const random = randomNumbers(seed);
  const beganMs = Date.now();
  let faults = 0;
  while (Date.now() - beganMs < minutes * 60_000) {
    await sleep(random() * LONGEST_CALM_MS);
    const victim = (['agent', 'owner', 'loop', 'loop'] as const)[Math.floor(random() * 4)] ?? 'loop';
    const how = random() < 0.5 ? 'killed' : 'suspended';
    const draw = random();
    const forMs = SHORTEST_FAULT_MS + random() ** 2 * (LONGEST_FAULT_MS - SHORTEST_FAULT_MS);
    say(`${Math.round((Date.now() - beganMs) / 1_000)} s: ${victim} ${how} for ${(forMs / 1_000).toFixed(1)} s`);
    if (victim === 'loop') {
      await loops.strike(draw, how, forMs);
    } else {
      const process = await findVictim(system, victim, draw);
      if (process !== undefined) {
        await strikeProcess(process, how, () => sleep(forMs));
      }
    }
    faults += 1;
  }
  return { faults };
}

/** Runs for the minutes of the plan, then waits until everything is transformed, and judges the output. */
export async function runTransactions(
  plan: TransactionPlan,
  say: (line: string) => void = () => undefined,
): Promise<TransactionOutcome> {
  const jars = kafkaEcosystemJars();
  await javaClassPath(join(import.meta.dirname, 'java/CountByKey.java'), jars);
  const classPath = await javaClassPath(join(import.meta.dirname, 'java/TransformLoop.java'), jars);
  const agents = Array.from({ length: AGENTS }, () => ({}));
  const system = await startTestSystem({ agents, metadataProcesses: METADATA_PROCESSES });
  const bootstrap = system.agents.map((agent) => agent.bootstrap).join(',');
  const admin = kafka(bootstrap).admin();
  let loops: Loops | undefined;
  let follower: Follower | undefined;
  try {
    await admin.connect();
    const topics = [
      { topic: INPUT, numPartitions: INPUT_PARTITIONS },
      { topic: OUTPUT, numPartitions: OUTPUT_PARTITIONS },
      { topic: COUNTS, numPartitions: OUTPUT_PARTITIONS },
    ];
    await admin.createTopics({ topics });
    loops = new Loops(classPath, bootstrap, system.home);
    follower = new Follower(bootstrap);
    let isOver = false;
    const feeding = feed(bootstrap, () => isOver);
    const { faults } = await strike(system, loops, plan, say);
    isOver = true;
    await feeding;
    const inputEnds = await ends(admin, INPUT);
    say(`${faults} faults are over; ${inputEnds.reduce((sum, end) => sum + end, 0)} records to transform`);
    for (const group of [GROUP, COUNTING]) {
      const isDone = async (): Promise<boolean> => (await committedOffsets(admin, group)).join() === inputEnds.join();
      await until(`every record is read by ${group}`, isDone, TIMEOUT_MS);
    }
    const counted = await loops.stop();
    // Transactions of loops that were killed expire.
    const expected = inputEnds.reduce((sum, end) => sum + end, 0);
    const outputs = await stableOutput(bootstrap, expected);
    const followed = follower.seen;
    const evidence = { inputEnds, committed: await committedOffsets(admin, GROUP), outputs, followed };
    const wrong = [
      ...judgeOutput(evidence),
      ...judgeCounts(...(await readCounts(bootstrap))),
      ...unexpectedDeaths(system),
    ];
    return { records: expected, followed: followed.length, ...counted, faults, wrong };
  } finally {
    await follower?.stop();
    await loops?.kill();
    await admin.disconnect();
    await system.stop();
  }
}

/** Returns the output once no open transaction hides any of it from readers, or after a while the output so far. */
async function stableOutput(bootstrap: string, expected: number): Promise<Record<string, OutputRecord[]>> {
  let kcat = await readOutput(bootstrap);
  for (let attempt = 0; kcat.length < expected && attempt < 20; attempt += 1) {
    await sleep(1_000);
    kcat = await readOutput(bootstrap);
  }
  return { kcat };
}
