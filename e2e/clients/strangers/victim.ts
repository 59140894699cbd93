// The tenant whose neighbour attacks: producers at each of its agents, a reader, and an open dashboard. It measures what it feels.
import { type Consumer, Kafka, logLevel, type Producer } from 'kafkajs';
import type { TestSystem } from '../support/system.ts';

const TOPIC = 'victim';
const PARTITIONS = 12;
/** One record per agent this often, whether or not earlier ones are acknowledged. */
const SEND_EVERY_MS = 50;
const VIEW_EVERY_MS = 500;

export interface Felt {
  acknowledged: number;
  failed: number;
  p50_ms: number;
  p99_ms: number;
  /** The longest time in which nothing was acknowledged. */
  longest_gap_ms: number;
  views: number;
  failed_views: number;
  slowest_view_ms: number;
}

interface Window {
  latenciesMs: number[];
  viewsMs: number[];
  failed: number;
  failedViews: number;
  lastAckMs: number;
  longestGapMs: number;
}

const newWindow = (): Window => ({
  latenciesMs: [],
  viewsMs: [],
  failed: 0,
  failedViews: 0,
  lastAckMs: performance.now(),
  longestGapMs: 0,
});

export class Victim {
  readonly #producers: Producer[];
  readonly #consumer: Consumer;
  readonly #view: () => Promise<boolean>;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #pending = new Set<Promise<void>>();
  #window = newWindow();
  #sent = 0;
  /** Values that were acknowledged, and those that the reader got. */
  readonly #acknowledged = new Set<number>();
  readonly #read = new Set<number>();

  private constructor(producers: Producer[], consumer: Consumer, view: () => Promise<boolean>) {
    this.#producers = producers;
    this.#consumer = consumer;
    this.#view = view;
  }

  static async start(system: TestSystem, apiKey: string): Promise<Victim> {
    const kafkas = system.agents.map(
      ({ bootstrap }) => new Kafka({ clientId: 'victim', brokers: [bootstrap], logLevel: logLevel.NOTHING }),
    );
    const [first] = kafkas;
    if (first === undefined) {
      throw new Error('The victim has no agent');
    }
    const admin = first.admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: PARTITIONS }], waitForLeaders: true });
    await admin.disconnect();
    const producers = kafkas.map((kafka) => kafka.producer());
    await Promise.all(producers.map((producer) => producer.connect()));
    const consumer = first.consumer({ groupId: 'victim' });
    await consumer.connect();
    await consumer.subscribe({ topic: TOPIC, fromBeginning: true });
    const url = `${system.webUrl}/api/v1/clusters/${system.demo?.clusterId}/topics`;
    const view = async (): Promise<boolean> => {
      const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
      await response.arrayBuffer();
      return response.ok;
    };
    const victim = new Victim(producers, consumer, view);
    await consumer.run({
      eachMessage: async ({ message }) => {
        victim.#read.add(Number(message.value?.toString()));
      },
    });
    victim.#timers.push(setInterval(() => victim.#send(), SEND_EVERY_MS));
    victim.#timers.push(setInterval(() => victim.#look(), VIEW_EVERY_MS));
    return victim;
  }

  /** Returns the effects since the last call. */
  take(): Felt {
    const window = this.#window;
    this.#window = newWindow();
    const sorted = window.latenciesMs.toSorted((left, right) => left - right);
    const at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
    return {
      acknowledged: sorted.length,
      failed: window.failed,
      p50_ms: at(0.5),
      p99_ms: at(0.99),
      longest_gap_ms: Math.max(window.longestGapMs, performance.now() - window.lastAckMs),
      views: window.viewsMs.length,
      failed_views: window.failedViews,
      slowest_view_ms: Math.max(0, ...window.viewsMs),
    };
  }

  /** Stops sending and waits until everything acknowledged was read. @returns how many records never arrived */
  async stop(): Promise<{ acknowledged: number; lost: number }> {
    for (const timer of this.#timers) {
      clearInterval(timer);
    }
    await Promise.all(this.#pending);
    const missing = (): number => [...this.#acknowledged].filter((value) => !this.#read.has(value)).length;
    const deadlineMs = performance.now() + 60_000;
    while (missing() > 0 && performance.now() < deadlineMs) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await Promise.all([...this.#producers.map((producer) => producer.disconnect()), this.#consumer.disconnect()]);
    return { acknowledged: this.#acknowledged.size, lost: missing() };
  }

  #send(): void {
    for (const producer of this.#producers) {
      const value = this.#sent;
      this.#sent += 1;
      const startedMs = performance.now();
      this.#track(
        producer.send({ topic: TOPIC, messages: [{ key: String(value), value: String(value) }] }).then(
          () => {
            const nowMs = performance.now();
            this.#acknowledged.add(value);
            this.#window.latenciesMs.push(nowMs - startedMs);
            this.#window.longestGapMs = Math.max(this.#window.longestGapMs, nowMs - this.#window.lastAckMs);
            this.#window.lastAckMs = nowMs;
          },
          () => {
            this.#window.failed += 1;
          },
        ),
      );
    }
  }

  #look(): void {
    const startedMs = performance.now();
    this.#track(
      this.#view()
        .catch(() => false)
        .then((isOk) => {
          this.#window.viewsMs.push(performance.now() - startedMs);
          this.#window.failedViews += isOk ? 0 : 1;
        }),
    );
  }

  #track(work: Promise<void>): void {
    this.#pending.add(work);
    void work.finally(() => this.#pending.delete(work));
  }
}
