// A Kafka Connect worker in distributed mode, controlled over its REST interface.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@penstock/servers/free-port';
import { until } from '../support/run.ts';
import { JavaProgram } from './java-program.ts';
import type { Stage } from './stage.ts';

/** Only for hangs: a worker loads hundreds of classes before it responds, and may share two cores with other programs. */
const LONGEST_START_MS = 300_000;

interface Status {
  connector: { state: string };
  tasks: { state: string }[];
}

interface Offsets {
  offsets: { offset: { position?: number; kafka_offset?: number } }[];
}

export type Settings = Readonly<Record<string, string>>;

/** A sequence of workers with the same group and topics. */
export class ConnectWorker {
  readonly #stage: Stage;
  readonly #classPath: string;
  readonly #group: string;
  readonly #settings: Settings;
  #url = '';
  #program: JavaProgram | undefined;

  /**
   * Starts a worker.
   * @param group id of the worker's group, and the prefix of its three topics
   * @param settings added to the settings here
   */
  constructor(stage: Stage, jars: string, group: string, settings: Settings = {}) {
    this.#stage = stage;
    this.#classPath = join(jars, '*');
    this.#group = group;
    this.#settings = settings;
  }

  /** Where it keeps the configurations, offsets and states of its connectors. */
  get topics(): string[] {
    return ['configs', 'offsets', 'status'].map((kind) => `${this.#group}-${kind}`);
  }

  /** Starts a worker on its own port, and waits until it has loaded its connectors. */
  async start(): Promise<void> {
    const port = await freePort();
    this.#url = `http://127.0.0.1:${port}`;
    const file = join(this.#stage.home, `${this.#group}.properties`);
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

  /** Creates a connector or changes its configuration. */
  async configure(connector: string, config: Settings): Promise<void> {
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

  /**
   * Whether the worker has a connector with this configuration, and runs it.
   * @throws when the connector or its task failed
   */
  async runs(connector: string, wanted: Settings): Promise<boolean> {
    const config = await this.#get<Settings>(`/connectors/${connector}/config`);
    const status = await this.#get<Status>(`/connectors/${connector}/status`);
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
  async committed(connector: string): Promise<number> {
    const { offset } = (await this.#get<Offsets>(`/connectors/${connector}/offsets`))?.offsets[0] ?? {};
    return offset?.position ?? offset?.kafka_offset ?? 0;
  }

  async #get<T>(path: string): Promise<T | undefined> {
    const answer = await fetch(`${this.#url}${path}`).catch(() => undefined);
    return answer?.ok === true ? ((await answer.json()) as T) : undefined;
  }

  #properties(port: number): string {
    const properties = {
      'bootstrap.servers': this.#stage.bootstrap,
      'group.id': this.#group,
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
          [`${kind}.storage.topic`, `${this.#group}-${kind === 'status' ? kind : `${kind}s`}`],
          // An Apache Kafka to compare with has one broker.
          [`${kind}.storage.replication.factor`, '1'],
          // Makes the topics eligible for compaction as soon as possible.
          [`${kind}.storage.segment.ms`, '1'],
          [`${kind}.storage.min.cleanable.dirty.ratio`, '0'],
        ]),
      ),
      ...this.#settings,
    };
    return Object.entries(properties)
      .map(([name, value]) => `${name}=${value}\n`)
      .join('');
  }
}
