// Kafka Connect in distributed mode: a worker copies a file's lines through a topic into another file, and keeps all its state in its three
// compacted topics. It is stopped repeatedly, by request and by `kill -9`.
import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@penstock/testing/free-port';
import { kafkaEcosystemJars } from '../../../infra/local/tools.ts';
import { until } from '../support/run.ts';
import { JavaProgram } from './java-program.ts';
import type { RoundsOptions } from './rounds.ts';
import type { Stage } from './stage.ts';

const LINES = 'connect-lines';
const TOPICS = ['connect-configs', 'connect-offsets', 'connect-status'];
const PORTIONS = 5;
/** Only for hangs: a worker loads hundreds of classes before it responds, and may share two cores with other programs. */
const LONGEST_START_MS = 300_000;
const LINES_PER_PORTION = 50;
const CONNECTORS = ['source', 'sink'] as const;

type Connector = (typeof CONNECTORS)[number];

interface Status {
  connector: { state: string };
  tasks: { state: string }[];
}

interface Offsets {
  offsets: { offset: { position?: number; kafka_offset?: number } }[];
}

class Worker {
  readonly input: string;
  readonly output: string;
  readonly #stage: Stage;
  readonly #classPath: string;
  #url = '';
  #program: JavaProgram | undefined;

  constructor(stage: Stage, jars: string) {
    this.#stage = stage;
    this.#classPath = join(jars, '*');
    this.input = join(stage.home, 'connect-input.txt');
    this.output = join(stage.home, 'connect-output.txt');
  }

  /** Starts a worker on its own port, and waits until it has loaded its connectors. */
  async start(): Promise<void> {
    const port = await freePort();
    this.#url = `http://127.0.0.1:${port}`;
    const file = join(this.#stage.home, 'connect.properties');
    await writeFile(file, this.#properties(port));
    const program = new JavaProgram(this.#classPath, 'org.apache.kafka.connect.cli.ConnectDistributed', [file]);
    this.#program = program;
    const answers = async () => {
      if (program.hasEnded) {
        throw new Error(`The worker has ended: ${program.errors}`);
      }
      return (await this.#get('/connectors')) !== undefined;
    };
    await until('the worker answers', answers, LONGEST_START_MS);
  }

  async stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await this.#program?.kill(signal);
  }

  async configure(connector: Connector, round: number): Promise<void> {
    const config = this.#config(connector, round);
    // The worker responds 409 while it joins its group: retry.
    await until(`${connector} is configured`, async () => {
      const answer = await fetch(`${this.#url}/connectors/${connector}/config`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(config),
      });
      return answer.ok;
    });
  }

  /** Whether the worker has a connector with this round's configuration, and runs it. */
  async runs(connector: Connector, round: number): Promise<boolean> {
    const config = await this.#get<Record<string, string>>(`/connectors/${connector}/config`);
    const status = await this.#get<Status>(`/connectors/${connector}/status`);
    const wanted = this.#config(connector, round);
    const states = status === undefined ? [] : [status.connector.state, ...status.tasks.map(({ state }) => state)];
    if (states.includes('FAILED')) {
      throw new Error(`${connector} failed: ${JSON.stringify(status)}`);
    }
    return (
      states.length === 2 &&
      states.every((state) => state === 'RUNNING') &&
      Object.entries(wanted).every(([name, value]) => config?.[name] === value)
    );
  }

  /** A connector's progress, by its committed offsets. */
  async committed(connector: Connector): Promise<number> {
    const { offset } = (await this.#get<Offsets>(`/connectors/${connector}/offsets`))?.offsets[0] ?? {};
    return offset?.position ?? offset?.kafka_offset ?? 0;
  }

  async #get<T>(path: string): Promise<T | undefined> {
    const answer = await fetch(`${this.#url}${path}`).catch(() => undefined);
    return answer?.ok === true ? ((await answer.json()) as T) : undefined;
  }

  #config(connector: Connector, round: number): Record<string, string> {
    const which = connector === 'source' ? 'Source' : 'Sink';
    return {
      'connector.class': `org.apache.kafka.connect.file.FileStream${which}Connector`,
      'tasks.max': '1',
      file: connector === 'source' ? this.input : this.output,
      ...(connector === 'source' ? { topic: LINES, 'batch.size': String(100 + round) } : { topics: LINES }),
    };
  }

  #properties(port: number): string {
    const properties = {
      'bootstrap.servers': this.#stage.bootstrap,
      'group.id': 'connect-cluster',
      'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
      'value.converter': 'org.apache.kafka.connect.storage.StringConverter',
      listeners: `http://127.0.0.1:${port}`,
      'offset.flush.interval.ms': '500',
      // Detects a killed worker soon and reassigns its tasks at once.
      'session.timeout.ms': '6000',
      'heartbeat.interval.ms': '1000',
      'consumer.session.timeout.ms': '6000',
      'scheduled.rebalance.max.delay.ms': '0',
      ...Object.fromEntries(
        ['config', 'offset', 'status'].flatMap((kind) => [
          [`${kind}.storage.topic`, `connect-${kind === 'status' ? kind : `${kind}s`}`],
          // Makes the topics eligible for compaction as soon as possible.
          [`${kind}.storage.segment.ms`, '1'],
          [`${kind}.storage.min.cleanable.dirty.ratio`, '0'],
        ]),
      ),
    };
    return Object.entries(properties)
      .map(([name, value]) => `${name}=${value}\n`)
      .join('');
  }
}

/** Writes lines in portions. Each portion must have arrived and been committed by both connectors before the next. */
async function copyLines(worker: Worker, lines: string[]): Promise<void> {
  for (let portion = 0; portion < PORTIONS; portion += 1) {
    const more = Array.from({ length: LINES_PER_PORTION }, (_, at) => `line ${lines.length + at}`);
    lines.push(...more);
    await appendFile(worker.input, more.map((line) => `${line}\n`).join(''));
    const { size } = await stat(worker.input);
    const isThrough = async () =>
      (await worker.committed('source')) === size && (await worker.committed('sink')) === lines.length;
    await until(`${lines.length} lines are through`, isThrough);
  }
}

/** @throws when a worker loses a connector or a position, or when a line is lost or duplicated */
export async function runConnect(stage: Stage, { rounds, compacts, report }: RoundsOptions): Promise<void> {
  await stage.admin.createTopics({ topics: [{ topic: LINES, numPartitions: 1 }] });
  const worker = new Worker(stage, await kafkaEcosystemJars());
  const lines: string[] = [];
  await writeFile(worker.input, '');
  try {
    await worker.start();
    for (let round = 1; round <= rounds; round += 1) {
      for (const connector of CONNECTORS) {
        await worker.configure(connector, round);
        await until(`${connector} runs`, () => worker.runs(connector, round));
      }
      await copyLines(worker, lines);
      await worker.stop(round % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
      if (compacts) {
        await stage.areCompacted(TOPICS);
      }
      await worker.start();
      for (const connector of CONNECTORS) {
        await until(`${connector} runs as before`, () => worker.runs(connector, round));
      }
      // No input is reread, which would duplicate lines.
      await copyLines(worker, lines);
      const copied = (await readFile(worker.output, 'utf8')).split('\n').slice(0, -1);
      const wrong = copied.findIndex((line, at) => line !== lines[at]);
      if (wrong >= 0 || copied.length !== lines.length) {
        throw new Error(
          `After restart ${round}, ${copied.length} of ${lines.length} lines are copied; wrong from ${wrong} on`,
        );
      }
      const figures = { lines: lines.length };
      report({ part: 'connect', round, figures, sizes: await stage.sizes('connect-'), compacted: TOPICS });
    }
  } finally {
    await worker.stop('SIGKILL');
  }
}
