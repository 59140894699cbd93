// One run: a complete Penstock on a faulty bucket, three kinds of clients, scheduled faults, and the judge's verdict on what the clients
// saw.

import { randomNumbers } from '../support/random.ts';
import { until } from '../support/run.ts';
import { allS3Operations, type S3Server, startS3Server } from '../support/s3-server.ts';
import { startTestSystem, type TestSystem } from '../support/system.ts';
import type { AnomalyKind } from './anomaly.ts';
import { programNames, startPrograms } from './client-programs.ts';
import { type FaultyS3, startFaultyS3 } from './faulty-s3.ts';
import type { HistoryEvent } from './history.ts';
import { judge } from './judge.ts';
import { readLedger } from './ledger.ts';
import { type ClientOutcome, clientOutcomes, keepHistory } from './outcomes.ts';
import { findVictim, strikeProcess, TIMEOUT_MS, unexpectedDeaths } from './process-faults.ts';
import { churnedBatchBytes, RawClient } from './raw-client.ts';
import { drawSchedule, type ProcessStep, type Schedule, type TopicStep } from './schedule.ts';
import { Striking } from './striking.ts';

const kept = { events: 4, trimmed: 2 };
const CHURNED = 'churn';
/** Per producer: a hundred times what is needed to see an anomaly, yet little load. */
const RECORDS_PER_S = 100;
const VALUE_BYTES = 200;
const idempotent = new Set<string>(programNames);
const finalReaders = ['java-final', 'librdkafka-final', 'raw-final'];

export interface FaultRunOutcome {
  seed: number;
  seconds: number;
  agents: number;
  /** How often each fault struck. */
  faults: Record<string, number>;
  clients: ClientOutcome[];
  anomalies: { kind: AnomalyKind | 'died' | 'stuck'; detail: string }[];
  /** The path of the history; undefined without an anomaly. */
  historyFile: string | undefined;
}

/** @param onPhase called with the name of each phase when it begins */
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
  const { bucket, env } = s3.forAgents(proxy.url);
  return Array.from({ length: count }, (_, index) => ({
    bucket,
    // The first two share a zone.
    zone: index < 2 ? 'zone-a' : 'zone-b',
    // One agent always reads from the bucket, the others cache what they wrote.
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
  readonly #striking = new Striking();
  readonly #bootstraps: string[];

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
      ...{
        bootstraps: this.#bootstraps,
        kept,
        churned: CHURNED,
        recordsPerS: RECORDS_PER_S,
        valueBytes: VALUE_BYTES,
        write,
      },
    });
    for (const [topic, partitions] of Object.entries({ ...kept, [CHURNED]: 1 })) {
      await raw.createTopic(topic, partitions);
    }
    const programs = await startPrograms({
      ...{
        bootstraps: this.#bootstraps,
        kept,
        churned: CHURNED,
        codec: 'zstd',
        recordsPerS: RECORDS_PER_S,
        valueBytes: VALUE_BYTES,
        write,
      },
    });
    const stuck: string[] = [];
    const note = (error: unknown): void => void stuck.push(error instanceof Error ? error.message : String(error));
    let begunMs = 0;
    let overMs = 0;
    try {
      raw.start();
      this.#onPhase('starting clients');
      // Clients are running before faults begin.
      await until('all clients write and read', () => this.#allWork(), TIMEOUT_MS);
      this.#onPhase('striking');
      begunMs = Date.now();
      await this.#strike(drawSchedule(this.#seed, this.#seconds * 1_000), raw);
      this.#onPhase('waiting for the outcome of all records');
      overMs = Date.now();
      await Promise.all([raw.stopProducing(), ...programs.map((program) => program.stopProducing())]).catch(note);
      this.#onPhase('reading everything again');
      const ends = await raw.ends();
      for (const { topic, partition, low, high } of ends) {
        write({ t: 'end', topic, partition, low, high });
      }
      const named = new Map(ends.map(({ topic, partition, high }) => [`${topic}-${partition}`, high]));
      await Promise.all([raw.finish(named), ...programs.map((program) => program.finish(named))]).catch(note);
      this.#onPhase('reading the ledger');
      write(await readLedger(this.#system.databaseUrl, this.#system.demo?.clusterId ?? '', TIMEOUT_MS));
    } finally {
      for (const program of programs) {
        program.kill();
      }
    }
    const anomalies = [
      ...judge(this.#history, { idempotent, finalReaders, churned: new Set([CHURNED]), churnedBatchBytes }),
      ...unexpectedDeaths(this.#system).map((detail) => ({ kind: 'died', detail }) as const),
      ...stuck.map((detail) => ({ kind: 'stuck', detail }) as const),
    ];
    for (const [what, times] of this.#proxy.struck) {
      this.#striking.count(what, times);
    }
    return {
      ...{ seed: this.#seed, seconds: this.#seconds, agents: this.#bootstraps.length },
      faults: this.#striking.counts,
      clients: clientOutcomes(this.#history, { churned: CHURNED, finalReaders, begun_ms: begunMs, over_ms: overMs }),
      anomalies,
      historyFile: anomalies.length === 0 ? undefined : await keepHistory(this.#history, this.#seed),
    };
  }

  #allWork(): boolean {
    const producing = new Set(this.#history.flatMap((event) => (event.t === 'ack' ? [event.client] : [])));
    const reading = new Set(this.#history.flatMap((event) => (event.t === 'read' ? [event.client] : [])));
    return producing.size === 3 && reading.size === 3;
  }

  /** Runs until the schedule is over and everything runs again. */
  async #strike(schedule: Schedule, raw: RawClient): Promise<void> {
    const striking = this.#striking;
    striking.begin(this.#seconds * 1_000);
    const bucket = striking.each(schedule.s3, async ({ fault, for_ms: forMs }) => {
      this.#proxy.setFault(fault);
      await striking.pause(forMs);
      this.#proxy.setFault(undefined);
    });
    const processes = striking.each(schedule.processes, (step) => this.#strikeProcess(step));
    const topics = striking.each(schedule.topics, (step) => this.#strikeTopic(step, raw));
    await Promise.all([bucket, processes, topics, striking.pause(this.#seconds * 1_000)]);
    // A producer may have recreated it earlier.
    await raw.createTopic(CHURNED, 1);
  }

  async #strikeProcess({ victim, draw, how, for_ms: forMs }: ProcessStep): Promise<void> {
    const process = await findVictim(this.#system, victim, draw);
    if (process?.pid === undefined) {
      return;
    }
    this.#striking.count(`${victim} ${how}`);
    await strikeProcess(process, how, () => this.#striking.pause(forMs));
  }

  async #strikeTopic({ what, for_ms: forMs, draw }: TopicStep, raw: RawClient): Promise<void> {
    this.#striking.count(`topic: ${what}`);
    if (what === 'recreate') {
      await raw.deleteTopic(CHURNED);
      await this.#striking.pause(forMs);
      await raw.createTopic(CHURNED, 1);
      return;
    }
    const partition = { topic: 'trimmed', partition: Math.floor(draw * kept.trimmed) };
    const share = (draw * kept.trimmed) % 1;
    // At most to the raw client's position, which needs each batch for the bill, and always leaving some records.
    const beforeOffset = Math.floor(share * raw.position(partition));
    if (beforeOffset > 0) {
      await raw.deleteRecords(partition, beforeOffset);
    }
  }
}
