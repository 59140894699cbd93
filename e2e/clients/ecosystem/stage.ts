// What the parts of the run share: one Penstock with one agent that serves clients and one that compacts, and the contents of its
// topics; or one Apache Kafka to compare with.
import { createMetadataAdmin, type MetadataAdmin } from '@penstock/clusters';
import { type Admin, Kafka, logLevel, type Producer } from 'kafkajs';
import { run } from '../support/run.ts';
import type { TestSystem } from '../support/system.ts';

/**
 * Files wait a minute for others to merge with, partitions are checked every 15 s, and an agent trusts its cached record locations for a
 * minute.
 */
const LONGEST_MS = 600_000;
const PAUSE_MS = 2_000;
const COMPANY = 'company';

export interface TopicSize {
  /** Number of records ever written. */
  written: number;
  storedBytes: number;
}

export interface ComparedKafka {
  bootstrap: string;
  home: string;
}

export class Stage {
  readonly bootstrap: string;
  /** A folder for the parts' own files. */
  readonly home: string;
  readonly admin: Admin;
  readonly #producer: Producer;
  readonly #metadata: MetadataAdmin | undefined;
  readonly #clusterId: string;

  /** @param system a Penstock, or an Apache Kafka to compare with, whose topics have no known sizes */
  constructor(system: TestSystem | ComparedKafka) {
    this.bootstrap = 'bootstrap' in system ? system.bootstrap : (system.agents[0]?.bootstrap ?? '');
    this.home = system.home;
    const kafka = new Kafka({ brokers: [this.bootstrap], logLevel: logLevel.NOTHING });
    this.admin = kafka.admin();
    this.#producer = kafka.producer();
    if ('bootstrap' in system) {
      this.#clusterId = '';
      return;
    }
    const urls = system.metadata.map(({ adminUrl }) => adminUrl);
    this.#metadata = createMetadataAdmin({ urls, keys: system.adminKeys });
    this.#clusterId = system.demo?.clusterId ?? '';
  }

  async open(): Promise<void> {
    await this.admin.connect();
    await this.#producer.connect();
    await this.admin.createTopics({ topics: [{ topic: COMPANY, numPartitions: 1 }] });
  }

  async close(): Promise<void> {
    await this.#producer.disconnect();
    await this.admin.disconnect();
    this.#metadata?.close();
  }

  /** Sizes of all topics with this name prefix; empty on Apache Kafka. */
  async sizes(prefix: string): Promise<Map<string, TopicSize>> {
    if (this.#metadata === undefined) {
      return new Map();
    }
    const view = await this.#metadata.getClusterView(this.#clusterId);
    const topics = view.topics.map(({ topic, highWatermark, storedBytes }) => {
      const written = highWatermark.reduce((sum, end) => sum + Number(end), 0);
      const size = { written, storedBytes: storedBytes.reduce((sum, bytes) => sum + Number(bytes), 0) };
      return [topic?.name ?? '', size] as const;
    });
    return new Map(topics.filter(([name]) => name.startsWith(prefix)));
  }

  /** Waits until these topics hold only the latest record of each key, and the last record of each partition. */
  async areCompacted(topics: readonly string[]): Promise<void> {
    const deadlineMs = Date.now() + LONGEST_MS;
    let waiting = [...topics];
    while (waiting.length > 0) {
      // A single file waits ten minutes for another one to merge with; here it gets one at once.
      await this.#producer.send({ topic: COMPANY, messages: [{ value: 'x' }] });
      const superseded = await Promise.all(waiting.map((topic) => supersededRecords(this.bootstrap, topic)));
      waiting = waiting.filter((_, index) => (superseded[index] ?? 0) > 0);
      if (waiting.length > 0) {
        if (Date.now() > deadlineMs) {
          throw new Error(`Not compacted within ${LONGEST_MS / 1_000} s: ${waiting.join(', ')}`);
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }
}

/** Records that a complete compaction would remove: all have keys, and the last record of a partition is the latest of its key. */
async function supersededRecords(bootstrap: string, topic: string): Promise<number> {
  const format = ['-f', '%p\t%k\n'];
  const printed = await run('kcat', ['-C', '-b', bootstrap, '-t', topic, '-o', 'beginning', '-e', '-q', ...format]);
  const rows = printed.split('\n').filter((line) => line !== '');
  return rows.length - new Set(rows).size;
}
