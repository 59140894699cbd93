// Three zones of two agents each. Each agent reads everything three times while agents of one zone are slowed down, suspended and killed.
// Measures the GETs per data file and zone, and the longest gap of readers of the other agent.
import { type Consumer, Kafka, logLevel, type Producer } from 'kafkajs';
import type { RunningAgent } from '../../../infra/local/system.ts';
import { until } from './run.ts';
import { startTestSystem, type TestSystem } from './system.ts';

const zones = ['a', 'b', 'c'];
const AGENTS_PER_ZONE = 2;
/** Consumer groups per zone. */
const FAN_OUT = 3;
const TOPIC = 'tail';
const PARTITIONS = 3;
const RECORD_BYTES = 1_024;
const RECORDS_PER_SEND = 10;
const SEND_INTERVAL_MS = 50;
/** A slow agent is suspended for most of the time. */
const slowMs = { stopped: 150, running: 50 };

export interface ZoneRunOptions {
  /** How long records are produced while GETs are counted. */
  counted_ms: number;
  /** How long each fault lasts. */
  fault_ms: number;
}

export interface ZoneRunResult {
  files: number;
  gets: number;
  /** Reads served by other agents of the zone. */
  peerReads: number;
  /** GETs because another agent was slow; included in `gets`. */
  hedges: number;
  getsPerFileAndZone: number;
  faults: { what: string; longestGapMs: number }[];
  records: number;
  /** Readers with duplicate, missing or reordered records. */
  wrong: string[];
}

interface Counters {
  files: number;
  gets: number;
  peerReads: number;
  hedges: number;
}

/** A separate group at the tail, through one agent. */
class Reader {
  readonly name: string;
  readonly agent: RunningAgent;
  records = 0;
  wrong: string | undefined;
  /** A group whose agent fails resumes from its last commit. */
  mayRepeat = false;
  readonly #consumer: Consumer;
  readonly #nextOffsets = new Map<number, bigint>();
  #lastAtMs = performance.now();
  #longestGapMs = 0;

  constructor(kafka: Kafka, name: string, agent: RunningAgent) {
    this.name = name;
    this.agent = agent;
    this.#consumer = kafka.consumer({ groupId: name, maxWaitTimeInMs: 500 });
  }

  /** Resolves when it has its partitions. */
  async start(): Promise<void> {
    const joined = new Promise<void>((resolve) => {
      this.#consumer.on(this.#consumer.events.GROUP_JOIN, () => resolve());
    });
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topics: [TOPIC], fromBeginning: true });
    await this.#consumer.run({
      eachBatch: async ({ batch }) => {
        this.#noteGap();
        for (const { offset } of batch.messages) {
          const next = this.#nextOffsets.get(batch.partition) ?? 0n;
          if (BigInt(offset) < next && this.mayRepeat) {
            continue;
          }
          if (BigInt(offset) !== next) {
            this.wrong ??= `${this.name}: offset ${offset} of partition ${batch.partition} came instead of ${next}`;
          }
          this.#nextOffsets.set(batch.partition, BigInt(offset) + 1n);
          this.records += 1;
        }
      },
    });
    await joined;
  }

  /** The longest time without a record since the last call, including the time since the last record. */
  takeLongestGapMs(): number {
    this.#noteGap();
    const longestMs = this.#longestGapMs;
    this.#longestGapMs = 0;
    return longestMs;
  }

  async stop(): Promise<void> {
    await this.#consumer.disconnect();
  }

  #noteGap(): void {
    const nowMs = performance.now();
    this.#longestGapMs = Math.max(this.#longestGapMs, nowMs - this.#lastAtMs);
    this.#lastAtMs = nowMs;
  }
}

/** Produces a little to all partitions until stopped. */
class Writer {
  records = 0;
  readonly #producer: Producer;
  #isWanted = true;
  #ended: Promise<void> = Promise.resolve();

  constructor(kafka: Kafka) {
    this.#producer = kafka.producer({ allowAutoTopicCreation: false });
  }

  async start(): Promise<void> {
    await this.#producer.connect();
    this.#ended = this.#send();
  }

  async stop(): Promise<void> {
    this.#isWanted = false;
    await this.#ended;
    await this.#producer.disconnect();
  }

  async #send(): Promise<void> {
    const value = Buffer.alloc(RECORD_BYTES, 'x');
    while (this.#isWanted) {
      const messages = Array.from({ length: RECORDS_PER_SEND }, (_, index) => ({
        partition: index % PARTITIONS,
        value,
      }));
      await this.#producer.send({ topic: TOPIC, messages, acks: -1 });
      this.records += RECORDS_PER_SEND;
      await delay(SEND_INTERVAL_MS);
    }
  }
}

/** Starts a system, runs the faults and stops it. `onFault` is called after each fault. */
export async function runZones(
  { counted_ms: countedMs, fault_ms: faultMs }: ZoneRunOptions,
  onFault: (fault: { what: string; longestGapMs: number }) => void = () => undefined,
): Promise<ZoneRunResult> {
  // Merging is off: it reads files from the bucket too, as it should, and would be counted.
  const env = { PENSTOCK_ROLES: 'produce,consume' };
  const agents = zones.flatMap((zone) => Array.from({ length: AGENTS_PER_ZONE }, () => ({ zone, env })));
  const system = await startTestSystem({ agents });
  const readers: Reader[] = [];
  let writers: Writer[] = [];
  try {
    await createTopic(system);
    for (const [zoneIndex, zone] of zones.entries()) {
      for (let number = 0; number < FAN_OUT; number += 1) {
        const agent = agentAt(system, zoneIndex, number % AGENTS_PER_ZONE);
        readers.push(await readerAt(system, zone, agent, number));
      }
    }
    await Promise.all(readers.map((reader) => reader.start()));

    const before = await counters(system);
    writers = await startWriters(system);
    await delay(countedMs);
    await Promise.all(writers.map((writer) => writer.stop()));
    let records = writers.reduce((sum, writer) => sum + writer.records, 0);
    await allRead(readers, records);
    const after = await counters(system);

    writers = await startWriters(system);
    const lastZone = zones.length - 1;
    const victim = agentAt(system, lastZone, 0);
    for (const reader of readers) {
      reader.mayRepeat = reader.agent === victim;
    }
    const bystanders = readers.filter(({ agent }) => agent === agentAt(system, lastZone, 1));
    const faults: ZoneRunResult['faults'] = [];
    const during = async (what: string, strike: () => Promise<void>): Promise<void> => {
      for (const reader of bystanders) {
        reader.takeLongestGapMs();
      }
      await strike();
      const longestGapMs = Math.max(...bystanders.map((reader) => reader.takeLongestGapMs()));
      faults.push({ what, longestGapMs });
      onFault({ what, longestGapMs });
    };
    await during('nothing', () => delay(faultMs));
    await during('an agent of the zone is slow', () => slowDown(victim, faultMs));
    await during('an agent of the zone is suspended (SIGSTOP)', async () => {
      victim.process.signal('SIGSTOP');
      await delay(faultMs);
      victim.process.signal('SIGCONT');
    });
    await during('an agent of the zone is killed', async () => {
      await victim.process.kill();
      await delay(faultMs);
    });
    await Promise.all(writers.map((writer) => writer.stop()));
    records += writers.reduce((sum, writer) => sum + writer.records, 0);
    writers = [];
    // Readers of the victim move to the zone's other agent.
    await allRead(readers, records);
    const wrong = readers.flatMap((reader) => reader.wrong ?? []);
    const files = after.files - before.files;
    const gets = after.gets - before.gets;
    return {
      files,
      gets,
      peerReads: after.peerReads - before.peerReads,
      hedges: after.hedges - before.hedges,
      getsPerFileAndZone: gets / (files * zones.length),
      faults,
      records,
      wrong: [...wrong, ...system.deaths],
    };
  } finally {
    await Promise.all([...readers, ...writers].map((client) => client.stop()));
    await system.stop();
  }
}

function agentAt(system: TestSystem, zone: number, number: number): RunningAgent {
  const agent = system.agents[zone * AGENTS_PER_ZONE + number];
  if (agent === undefined) {
    throw new Error(`There is no agent ${number} in zone ${zone}`);
  }
  return agent;
}

function kafka(system: TestSystem, clientId: string): Kafka {
  const brokers = system.agents.map(({ bootstrap }) => bootstrap);
  return new Kafka({ brokers, clientId, logLevel: logLevel.NOTHING, retry: { retries: 1_000, maxRetryTime: 1_000 } });
}

async function createTopic(system: TestSystem): Promise<void> {
  const admin = kafka(system, 'admin').admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: PARTITIONS }] });
  await admin.disconnect();
}

/** A client's agent follows from its id: draws an id that leads to this one, once all agents know of it. */
async function readerAt(system: TestSystem, zone: string, agent: RunningAgent, number: number): Promise<Reader> {
  let attempt = 0;
  const drawn: Reader[] = [];
  await until(`a client id gets ${agent.bootstrap}`, async () => {
    attempt += 1;
    const name = `reader-${zone}-${number}-${attempt}`;
    const client = kafka(system, `penstock_az=${zone},${name}`);
    const admin = client.admin();
    await admin.connect();
    const [{ topics }, { brokers }] = await Promise.all([
      admin.fetchTopicMetadata({ topics: [TOPIC] }),
      admin.describeCluster(),
    ]);
    await admin.disconnect();
    const leader = brokers.find(({ nodeId }) => nodeId === topics[0]?.partitions[0]?.leader);
    if (leader !== undefined && `${leader.host}:${leader.port}` === agent.bootstrap) {
      drawn.push(new Reader(client, name, agent));
    }
    return drawn.length > 0;
  });
  const [reader] = drawn;
  if (reader === undefined) {
    throw new Error(`No client id gets ${agent.bootstrap}`);
  }
  return reader;
}

/** In all zones but the last, whose agents are slowed down, suspended and killed. */
async function startWriters(system: TestSystem): Promise<Writer[]> {
  const writers = zones.slice(0, -1).map((zone) => new Writer(kafka(system, `penstock_az=${zone},writer`)));
  await Promise.all(writers.map((writer) => writer.start()));
  return writers;
}

async function allRead(readers: Reader[], records: number): Promise<void> {
  await until('every reader has read everything', () => readers.every((reader) => reader.records >= records));
  for (const reader of readers) {
    if (reader.records !== records) {
      reader.wrong ??= `${reader.name}: ${reader.records} records read of ${records}`;
    }
  }
}

async function slowDown(agent: RunningAgent, durationMs: number): Promise<void> {
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs) {
    agent.process.signal('SIGSTOP');
    await delay(slowMs.stopped);
    agent.process.signal('SIGCONT');
    await delay(slowMs.running);
  }
}

async function counters(system: TestSystem): Promise<Counters> {
  const sums: Counters = { files: 0, gets: 0, peerReads: 0, hedges: 0 };
  for (const { httpUrl } of system.agents) {
    const text = await (await fetch(`${httpUrl}/metrics`)).text();
    const of = (name: string): number =>
      Number(text.match(new RegExp(`^penstock_agent_${name}_total (\\d+)$`, 'm'))?.[1]);
    sums.files += of('data_files');
    sums.gets += of('object_gets');
    sums.peerReads += of('peer_reads');
    sums.hedges += of('peer_hedges');
  }
  return sums;
}

function delay(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
