// One run: a whole Penstock on a faulty bucket, three kinds of clients, faults by a schedule, and the judgement of what the clients saw.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { ManagedProcess } from '../../../infra/local/managed-process.ts';
import { confluentKafkaPython, javaClassPath } from '../../../infra/local/tools.ts';
import { pythonFolder } from '../support/clients.ts';
import { ownerOf } from '../support/cluster-owner.ts';
import { until } from '../support/run.ts';
import { allS3Operations, type S3Server, startS3Server } from '../support/s3-server.ts';
import { startTestSystem, type TestSystem } from '../support/system.ts';
import { ClientProgram } from './client-program.ts';
import { type FaultyS3, startFaultyS3 } from './faulty-s3.ts';
import type { HistoryEvent } from './history.ts';
import { type AnomalyKind, judge } from './judge.ts';
import { churnedBatchBytes, churnedValueBytes, RawClient } from './raw-client.ts';
import { drawSchedule, type ProcessStep, randomNumbers, type Schedule, type TopicStep } from './schedule.ts';

const kept = { events: 4, trimmed: 2 };
const churned = 'churn';
/** Of each producer: a hundred times what tells an anomaly, and no load worth the name. */
const recordsPer_s = 100;
const valueBytes = 200;
const idempotent = new Set(['java', 'librdkafka']);
const finalReaders = ['java-final', 'librdkafka-final', 'raw-final'];
/** For what has to happen once all faults are over, and hangs if it does not. */
const patience_ms = 180_000;
/** A process that could not start is not started again by its supervisor after this. */
const restartPause_ms = 11_000;

export interface ClientOutcome {
  name: string;
  /** Records acknowledged, or read. */
  records: number;
  failed: number;
  /** In which nothing was acknowledged, or read, while faults struck. */
  longestGap_ms: number;
}

export interface FaultRunOutcome {
  seed: number;
  seconds: number;
  agents: number;
  /** How often each fault struck. */
  faults: Record<string, number>;
  clients: ClientOutcome[];
  anomalies: { kind: AnomalyKind | 'died' | 'stuck'; detail: string }[];
  /** Where the history lies; undefined without an anomaly. */
  historyFile: string | undefined;
}

/** @param onPhase called with the name of each phase as it begins */
export async function runFaults(
  { seed, seconds }: { seed: number; seconds: number },
  onPhase: (phase: string) => void = () => undefined,
): Promise<FaultRunOutcome> {
  onPhase('starting a system on a faulty bucket');
  const s3 = await startS3Server();
  const proxy = await startFaultyS3(s3.endpoint, randomNumbers(seed + 1));
  let system: TestSystem | undefined;
  try {
    await s3.account.allow(allS3Operations);
    system = await startTestSystem({
      agents: agentsOn(proxy, s3, 2 + (seed % 2)),
      metadataProcesses: 2,
      hasWorker: true,
    });
    return await new FaultRun(system, proxy, seed, seconds, onPhase).run();
  } finally {
    proxy.setFault(undefined);
    await system?.stop();
    await proxy.close();
    await s3.stop();
  }
}

function agentsOn(
  proxy: FaultyS3,
  s3: S3Server,
  count: number,
): { bucket: string; zone: string; env: Record<string, string> }[] {
  const env = {
    AWS_ACCESS_KEY_ID: s3.account.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.account.secretAccessKey,
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL: proxy.url,
    AWS_ALLOW_HTTP: 'true',
  };
  return Array.from({ length: count }, (_, index) => ({
    bucket: `s3://${s3.bucket}/cluster`,
    // The first two share a zone.
    zone: index < 2 ? 'zone-a' : 'zone-b',
    // One reads everything from the bucket, the others what they have not written themselves.
    env: index === 0 ? { ...env, PENSTOCK_CACHE_BYTES: '0' } : env,
  }));
}

class FaultRun {
  readonly #system: TestSystem;
  readonly #proxy: FaultyS3;
  readonly #seed: number;
  readonly #onPhase: (phase: string) => void;
  readonly #seconds: number;
  readonly #history: HistoryEvent[] = [];
  readonly #faults = new Map<string, number>();
  readonly #bootstraps: string[];
  #endsAt_ms = 0;

  constructor(system: TestSystem, proxy: FaultyS3, seed: number, seconds: number, onPhase: (phase: string) => void) {
    this.#onPhase = onPhase;
    this.#system = system;
    this.#proxy = proxy;
    this.#seed = seed;
    this.#seconds = seconds;
    this.#bootstraps = system.agents.map(({ bootstrap }) => bootstrap);
  }

  async run(): Promise<FaultRunOutcome> {
    const write = (event: HistoryEvent): void => void this.#history.push(event);
    const raw = new RawClient({
      ...{ bootstraps: this.#bootstraps, kept, churned, recordsPer_s, valueBytes, write },
    });
    for (const [topic, partitions] of Object.entries({ ...kept, [churned]: 1 })) {
      await raw.createTopic(topic, partitions);
    }
    const programs = await this.#startPrograms(write);
    const stuck: string[] = [];
    const note = (error: unknown): void => void stuck.push(error instanceof Error ? error.message : String(error));
    let begun_ms = 0;
    let over_ms = 0;
    try {
      raw.start();
      this.#onPhase('starting clients');
      // Faults strike clients that are at work.
      await until('all clients write and read', () => this.#allWork(), patience_ms);
      this.#onPhase('striking');
      begun_ms = Date.now();
      await this.#strike(drawSchedule(this.#seed, this.#seconds * 1_000), raw);
      this.#onPhase('waiting for the outcome of all records');
      over_ms = Date.now();
      await Promise.all([raw.stopProducing(), ...programs.map((program) => program.stopProducing())]).catch(note);
      this.#onPhase('reading everything again');
      const ends = await raw.ends();
      for (const { topic, partition, low, high } of ends) write({ t: 'end', topic, partition, low, high });
      const named = new Map(ends.map(({ topic, partition, high }) => [`${topic}-${partition}`, high]));
      await Promise.all([raw.finish(named), ...programs.map((program) => program.finish(named))]).catch(note);
      this.#onPhase('reading the ledger');
      write(await this.#usage());
    } finally {
      for (const program of programs) program.kill();
    }
    const anomalies = [
      ...judge(this.#history, { idempotent, finalReaders, churned: new Set([churned]), churnedBatchBytes }),
      ...this.#deaths().map((detail) => ({ kind: 'died', detail }) as const),
      ...stuck.map((detail) => ({ kind: 'stuck', detail }) as const),
    ];
    for (const [what, count] of this.#proxy.struck) this.#faults.set(what, count);
    return {
      ...{ seed: this.#seed, seconds: this.#seconds, agents: this.#bootstraps.length },
      faults: Object.fromEntries([...this.#faults].sort(([left], [right]) => left.localeCompare(right))),
      clients: outcomes(this.#history, begun_ms, over_ms),
      anomalies,
      historyFile: anomalies.length === 0 ? undefined : await this.#keepHistory(),
    };
  }

  async #startPrograms(write: (event: HistoryEvent) => void): Promise<ClientProgram[]> {
    const bootstrap = this.#bootstraps.join(',');
    const classPath = await javaClassPath(join(import.meta.dirname, 'java/HistoryClient.java'));
    const keptList = Object.entries(kept).map(([topic, partitions]) => `${topic}:${partitions}`);
    const javaArgs = {
      ...{ bootstrap, kept: keptList.join(','), churned, 'records-per-s': recordsPer_s },
      ...{ 'value-bytes': valueBytes, 'churned-value-bytes': churnedValueBytes },
    };
    const flags = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', classPath, 'HistoryClient'];
    const args = Object.entries(javaArgs).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const settings = {
      ...{ bootstrap, kept, churned, records_per_s: recordsPer_s },
      ...{ value_bytes: valueBytes, churned_value_bytes: churnedValueBytes },
    };
    const python = [join(pythonFolder, 'history_client.py')];
    return [
      new ClientProgram('java', 'java', [...flags, ...args], '', write),
      new ClientProgram('librdkafka', await confluentKafkaPython(), python, `${JSON.stringify(settings)}\n`, write),
    ];
  }

  #allWork(): boolean {
    const producing = new Set(this.#history.flatMap((event) => (event.t === 'ack' ? [event.client] : [])));
    const reading = new Set(this.#history.flatMap((event) => (event.t === 'read' ? [event.client] : [])));
    return producing.size === 3 && reading.size === 3;
  }

  /** Until the schedule is over and everything runs again. */
  async #strike(schedule: Schedule, raw: RawClient): Promise<void> {
    this.#endsAt_ms = Date.now() + this.#seconds * 1_000;
    const each = async <Step extends { wait_ms: number }>(
      steps: readonly Step[],
      work: (step: Step) => Promise<void>,
    ): Promise<void> => {
      for (const step of steps) {
        await this.#pause(step.wait_ms);
        if (Date.now() >= this.#endsAt_ms) return;
        await work(step);
      }
    };
    const bucket = each(schedule.s3, async ({ fault, for_ms }) => {
      this.#proxy.setFault(fault);
      await this.#pause(for_ms);
      this.#proxy.setFault(undefined);
    });
    const processes = each(schedule.processes, (step) => this.#strikeProcess(step));
    const topics = each(schedule.topics, (step) => this.#strikeTopic(step, raw));
    await Promise.all([bucket, processes, topics, this.#pause(this.#seconds * 1_000)]);
    // A producer may have made it anew before its turn came.
    await raw.createTopic(churned, 1);
  }

  /** Until the faults are over at the latest. */
  #pause(duration_ms: number): Promise<void> {
    const left_ms = Math.max(0, Math.min(duration_ms, this.#endsAt_ms - Date.now()));
    return new Promise((resolve) => setTimeout(resolve, left_ms));
  }

  #count(what: string): void {
    this.#faults.set(what, (this.#faults.get(what) ?? 0) + 1);
  }

  async #strikeProcess({ victim, draw, how, for_ms }: ProcessStep): Promise<void> {
    const process = await this.#find(victim, draw);
    if (process?.pid === undefined) return;
    this.#count(`${victim} ${how}`);
    if (how === 'suspended') {
      process.signal('SIGSTOP');
      await this.#pause(for_ms);
      process.signal('SIGCONT');
      return;
    }
    await process.kill();
    await this.#pause(for_ms);
    await this.#bringUp(process);
  }

  async #find(victim: ProcessStep['victim'], draw: number): Promise<ManagedProcess | undefined> {
    const { agents, metadata, worker, databaseUrl, demo } = this.#system;
    if (victim === 'agent') return agents[Math.floor(draw * agents.length)]?.process;
    if (victim === 'worker') return worker;
    const ownerUrl = await ownerOf(databaseUrl, demo?.clusterId ?? '');
    return metadata.find(({ url }) => (url === ownerUrl) === (victim === 'owner'))?.process;
  }

  /** As a supervisor does it: an agent that cannot reach the bucket ends, and is started again. */
  async #bringUp(process: ManagedProcess): Promise<void> {
    const { name, readyUrl } = process.plan;
    const deadline_ms = Date.now() + patience_ms;
    for (;;) {
      const isUp = await process.start().then(
        () => true,
        () => false,
      );
      if (isUp) break;
      if (Date.now() > deadline_ms) throw new Error(`${name} does not start: ${this.#system.deaths.at(-1)}`);
      if (process.pid === undefined) {
        await new Promise((resolve) => setTimeout(resolve, restartPause_ms));
      } else {
        const isReady = (): Promise<boolean> =>
          fetch(readyUrl).then(
            ({ ok }) => ok,
            () => false,
          );
        await until(`${name} is ready`, async () => process.pid === undefined || (await isReady()), patience_ms);
        break;
      }
    }
  }

  /** Processes that ended by themselves. An agent that cannot reach the bucket when it starts says so and ends. */
  #deaths(): string[] {
    const couldNotStart = (death: string): boolean =>
      death.includes('ended (exit code 1)') && death.split('\n').at(-1)?.includes('ERROR --bucket: ') === true;
    return this.#system.deaths.filter((death) => !couldNotStart(death));
  }

  async #strikeTopic({ what, for_ms, draw }: TopicStep, raw: RawClient): Promise<void> {
    this.#count(`topic: ${what}`);
    if (what === 'recreate') {
      await raw.deleteTopic(churned);
      await this.#pause(for_ms);
      await raw.createTopic(churned, 1);
      return;
    }
    const partition = { topic: 'trimmed', partition: Math.floor(draw * kept.trimmed) };
    const share = (draw * kept.trimmed) % 1;
    // No further than the raw client has read, which needs each batch for the bill; and something stays.
    const beforeOffset = Math.floor(share * raw.position(partition));
    if (beforeOffset > 0) await raw.deleteRecords(partition, beforeOffset);
  }

  /** What the ledger says once everything is folded. */
  async #usage(): Promise<HistoryEvent> {
    const database = new pg.Client({ connectionString: this.#system.databaseUrl });
    await database.connect();
    const one = async (text: string): Promise<Record<string, string | null>> => {
      const { rows } = await database.query<Record<string, string | null>>(text, [this.#system.demo?.clusterId]);
      return rows[0] ?? {};
    };
    try {
      const { seq } = await one('SELECT max(seq) AS seq FROM metadata_journal WHERE cluster_id = $1');
      await until(
        'the ledger is up to the journal',
        async () => {
          const folded = await one('SELECT max(seq) AS seq FROM metering_checkpoint WHERE cluster_id = $1');
          return BigInt(folded['seq'] ?? 0) >= BigInt(seq ?? 0);
        },
        patience_ms,
      );
      const ledger = await one(
        `SELECT sum(uncompressed_bytes) AS uncompressed, sum(stored_bytes) AS stored, sum(records) AS records
         FROM usage_hour WHERE cluster_id = $1`,
      );
      return {
        t: 'usage',
        records: Number(ledger['records']),
        storedBytes: Number(ledger['stored']),
        uncompressedBytes: Number(ledger['uncompressed']),
      };
    } finally {
      await database.end();
    }
  }

  async #keepHistory(): Promise<string> {
    const file = join(await mkdtemp(join(tmpdir(), 'penstock-history-')), `seed-${this.#seed}.jsonl`);
    await writeFile(file, this.#history.map((event) => `${JSON.stringify(event)}\n`).join(''));
    return file;
  }
}

/** Of each producer and each reader that follows. */
function outcomes(history: readonly HistoryEvent[], begun_ms: number, over_ms: number): ClientOutcome[] {
  const clients = new Map<string, ClientOutcome & { lastAt_ms: number }>();
  const of = (name: string): ClientOutcome & { lastAt_ms: number } => {
    const client = clients.get(name) ?? { name, records: 0, failed: 0, longestGap_ms: 0, lastAt_ms: begun_ms };
    clients.set(name, client);
    return client;
  };
  for (const event of history) {
    if (
      (event.t === 'ack' && event.topic !== churned) ||
      (event.t === 'read' && !finalReaders.includes(event.client))
    ) {
      const client = of(event.client);
      client.records += 1;
      // Until everything has been well for a while, and not what comes after it.
      client.longestGap_ms = Math.max(client.longestGap_ms, Math.min(event.at_ms, over_ms) - client.lastAt_ms);
      client.lastAt_ms = Math.max(begun_ms, event.at_ms);
    } else if (event.t === 'fail') {
      of(event.client).failed += 1;
    }
  }
  return [...clients.values()].map(({ lastAt_ms: _, ...client }) => client);
}
