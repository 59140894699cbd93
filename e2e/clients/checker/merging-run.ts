// One run of merging under kill -9: a complete Penstock with short windows, on an S3 server that is killed too. Clients write, follow the
// tail and reread old data, faults strike during jobs, and the run judges what the clients saw and what the bucket holds.

import type { RunningAgent } from '../../../infra/local/system.ts';
import { kafkaTool } from '../support/java-tools.ts';
import { randomNumbers } from '../support/random.ts';
import { until } from '../support/run.ts';
import { allS3Operations, type S3Server, startS3Server } from '../support/s3-server.ts';
import { shortWindows } from '../support/short-windows.ts';
import { startTestSystem, type TestSystem } from '../support/system.ts';
import { type AgainCounts, AgainReaders } from './again-readers.ts';
import type { AnomalyKind } from './anomaly.ts';
import { BucketAudit, type BucketState } from './bucket-audit.ts';
import { programNames, startPrograms } from './client-programs.ts';
import { CounterSums } from './counter-sums.ts';
import { type FaultyS3, startFaultyS3 } from './faulty-s3.ts';
import { type HistoryEvent, recordValue } from './history.ts';
import { judge } from './judge.ts';
import { Evidence } from './judge-evidence.ts';
import { readLedger } from './ledger.ts';
import { drawMergingSchedule } from './merging-schedule.ts';
import { MergingStrikes } from './merging-strikes.ts';
import { type ClientOutcome, clientOutcomes, keepHistory } from './outcomes.ts';
import { TIMEOUT_MS, unexpectedDeaths } from './process-faults.ts';
import { keyedBatchBytes, RawClient } from './raw-client.ts';
import { RetentionWatch } from './retention-watch.ts';

const kept = { events: 4, trimmed: 2 };
const compacted = { keyed: 2 };
const KEYS = 100;
const VALUE_BYTES = 200;
/** Agents that serve clients; the further agents only run jobs. The second one has all roles. */
const SERVING_AGENTS = 2;
const JOB_AGENTS = 2;
const keyedReaders = ['raw-final', ...Array.from({ length: SERVING_AGENTS }, (_, index) => `raw-final-${index + 1}`)];
const finalReaders = ['java-final', 'librdkafka-final', ...keyedReaders];
const PROGRESS_MS = 60_000;
const jobKinds = ['1', '2', 'compact'] as const;

export interface JobCounts {
  handedOut: number;
  applied: number;
  /** Their agent stopped responding. */
  lost: number;
  /** The index had changed. */
  stale: number;
  invalid: number;
}

export interface MergingRunOutcome {
  seed: number;
  seconds: number;
  /** How often each fault struck. */
  faults: Record<string, number>;
  clients: ClientOutcome[];
  again: AgainCounts;
  /** By level, or `compact`; as far as they were read before a process was killed. */
  jobs: Record<string, JobCounts>;
  bucket: BucketState | undefined;
  usage: { records: number; storedBytes: number } | undefined;
  anomalies: { kind: AnomalyKind | 'died' | 'stuck' | 'bucket'; detail: string }[];
  /** The path of the history; undefined without an anomaly. */
  historyFile: string | undefined;
}

export interface MergingRunOptions {
  seed: number;
  seconds: number;
  /** Records per second and producer. */
  recordsPerS?: number;
  /** Further checks once everything is idle. @param events all records of the topic `events`, in the order of partitions and offsets */
  atTheEnd?(system: TestSystem, serving: readonly string[], events: readonly StoredRecord[]): Promise<void>;
}

export interface StoredRecord {
  partition: number;
  offset: number;
  value: string;
}

/** @param onPhase called with the name of each phase when it begins */
export async function runMerging(
  options: MergingRunOptions,
  onPhase: (phase: string) => void = () => undefined,
): Promise<MergingRunOutcome> {
  onPhase('starting a system on an S3 server');
  const s3 = await startS3Server();
  const proxies: FaultyS3[] = [];
  let system: TestSystem | undefined;
  try {
    await s3.account.allow(allS3Operations);
    for (let agent = 0; agent < SERVING_AGENTS + JOB_AGENTS; agent += 1) {
      proxies.push(await startFaultyS3(s3.endpoint, () => 0));
    }
    system = await startTestSystem({
      agents: proxies.map((proxy, index) => {
        const { bucket, env } = s3.forAgents(proxy.url);
        return {
          bucket,
          zone: 'zone-a',
          env: {
            ...env,
            // The first clients' agent caches nothing that it writes or reads, so each fetch reads the current files.
            ...(index === 0 && { PENSTOCK_CACHE_BYTES: '0', PENSTOCK_ROLES: 'produce,consume' }),
            ...(index >= SERVING_AGENTS && { PENSTOCK_ROLES: 'jobs' }),
          },
        };
      }),
      metadataProcesses: 2,
      metadataEnv: shortWindows,
      hasWorker: true,
    });
    return await new MergingRun(system, s3, proxies, options, onPhase).run();
  } finally {
    for (const proxy of proxies) {
      proxy.setFault(undefined);
    }
    await system?.stop();
    for (const proxy of proxies) {
      await proxy.close();
    }
    await s3.stop();
  }
}

class MergingRun {
  readonly #system: TestSystem;
  readonly #s3: S3Server;
  readonly #strikes: MergingStrikes;
  readonly #options: MergingRunOptions;
  readonly #onPhase: (phase: string) => void;
  readonly #history: HistoryEvent[] = [];
  readonly #evidence = new Evidence();
  readonly #serving: readonly RunningAgent[];
  readonly #counters = new CounterSums();
  readonly #stuck: string[] = [];

  constructor(
    system: TestSystem,
    s3: S3Server,
    proxies: readonly FaultyS3[],
    options: MergingRunOptions,
    onPhase: (phase: string) => void,
  ) {
    this.#system = system;
    this.#s3 = s3;
    this.#options = options;
    this.#onPhase = onPhase;
    this.#serving = system.agents.slice(0, SERVING_AGENTS);
    this.#strikes = new MergingStrikes({
      ...{ system, s3, serving: this.#serving, trimmed: { topic: 'trimmed', partitions: kept.trimmed } },
      workers: system.agents.slice(SERVING_AGENTS).map((agent, index) => ({
        process: agent.process,
        proxy: proxies[SERVING_AGENTS + index],
      })),
    });
  }

  async run(): Promise<MergingRunOutcome> {
    const { seed, seconds, recordsPerS = 60, atTheEnd } = this.#options;
    const bootstraps = this.#serving.map(({ bootstrap }) => bootstrap);
    const clusterId = this.#system.demo?.clusterId ?? '';
    const write = (event: HistoryEvent): void => {
      this.#history.push(event);
      this.#evidence.add(event);
    };
    const raw = new RawClient({ bootstraps, kept, compacted, keys: KEYS, recordsPerS, valueBytes: VALUE_BYTES, write });
    // Long enough for a reader at the tail, despite all faults.
    const retentionMs = Math.max(60_000, (seconds * 1_000) / 15);
    await this.#createTopics(raw, retentionMs);
    const partitions = Object.entries({ ...kept, ...compacted }).flatMap(([topic, count]) =>
      Array.from({ length: count }, (_, partition) => ({ topic, partition })),
    );
    const again = new AgainReaders({
      ...{ bootstraps, partitions, compacted: new Set(Object.keys(compacted)), valueBytes: VALUE_BYTES },
      ...{ evidence: this.#evidence, follower: 'raw-tail', random: randomNumbers(seed + 1) },
    });
    const retention = new RetentionWatch('trimmed', kept.trimmed, retentionMs, this.#evidence, write);
    const audit = new BucketAudit(this.#system.databaseUrl, clusterId);
    // With a codec that every client supports.
    const programs = await startPrograms({
      bootstraps,
      kept,
      codec: 'gzip',
      recordsPerS,
      valueBytes: VALUE_BYTES,
      write,
    });
    const note = (error: unknown): void =>
      void this.#stuck.push(error instanceof Error ? error.message : String(error));
    const counting = setInterval(() => void this.#readCounters(), 250);
    const telling = setInterval(() => this.#onPhase(this.#progress()), PROGRESS_MS);
    let begunMs = 0;
    let overMs = 0;
    let bucket: BucketState | undefined;
    try {
      raw.start();
      retention.start();
      this.#onPhase('starting clients');
      // Clients and jobs are running before faults begin.
      await until('all clients write and read', () => this.#allWork(), TIMEOUT_MS);
      again.start();
      this.#onPhase('striking');
      begunMs = Date.now();
      await this.#strikes.run(drawMergingSchedule(seed, seconds * 1_000), seconds * 1_000, raw);
      overMs = Date.now();
      this.#onPhase('waiting for jobs of each kind');
      const hasAllKinds = async (): Promise<boolean> =>
        Object.values((await audit.compare(await this.#s3.objects())).files).every((count) => count > 0);
      await until('files of each kind were written', hasAllKinds, TIMEOUT_MS);
      this.#onPhase('waiting for the outcome of all records');
      await Promise.all([raw.stopProducing(), ...programs.map((program) => program.stopProducing())]).catch(note);
      await again.stop();
      await setConfig(bootstraps[0] ?? '', 'trimmed', 'retention.ms=-1');
      retention.stop();
      this.#onPhase('reading everything again');
      const ends = await raw.ends();
      for (const { topic, partition, low, high } of ends) {
        write({ t: 'end', topic, partition, low, high });
      }
      const named = new Map(ends.map(({ topic, partition, high }) => [`${topic}-${partition}`, high]));
      const keptEnds = new Map([...named].filter(([name]) => !(name.slice(0, name.lastIndexOf('-')) in compacted)));
      await Promise.all([
        raw.finish(named),
        ...programs.map((program) => program.finish(keptEnds)),
        ...bootstraps.map((bootstrap, index) => raw.readAgain(`raw-final-${index + 1}`, bootstrap, named)),
      ]).catch(note);
      this.#onPhase('reading the ledger');
      write(await readLedger(this.#system.databaseUrl, clusterId, TIMEOUT_MS));
      this.#onPhase('waiting for the last dead files to be deleted');
      bucket = await this.#audit(audit);
      await atTheEnd?.(this.#system, bootstraps, this.#events());
    } catch (error) {
      note(error);
    } finally {
      clearInterval(counting);
      clearInterval(telling);
      retention.stop();
      for (const program of programs) {
        program.kill();
      }
      await again.stop();
      await audit.close();
    }
    this.#onPhase('judging');
    const anomalies = [
      ...judge(this.#history, {
        ...{ idempotent: new Set<string>(programNames), finalReaders, churned: new Set(), churnedBatchBytes: 0 },
        ...{
          compacted: new Set(Object.keys(compacted)),
          keyedReaders,
          compactedBatchBytes: keyedBatchBytes(VALUE_BYTES),
        },
      }),
      ...again.anomalies,
      ...unexpectedDeaths(this.#system).map((detail) => ({ kind: 'died', detail }) as const),
      ...this.#stuck.map((detail) => ({ kind: 'stuck', detail }) as const),
      ...(bucket?.missing ?? []).map((id) => ({ kind: 'bucket', detail: `${id} is named, but not there` }) as const),
      ...(bucket?.undeleted ?? []).map((id) => ({ kind: 'bucket', detail: `${id} is dead, but still there` }) as const),
    ];
    const usage = this.#history.findLast((event) => event.t === 'usage');
    return {
      ...{ seed, seconds },
      faults: this.#strikes.counts,
      clients: clientOutcomes(this.#history, { finalReaders, begun_ms: begunMs, over_ms: overMs }),
      again: again.counts,
      jobs: Object.fromEntries(jobKinds.map((kind) => [kind, this.#jobCounts(kind)])),
      bucket,
      usage: usage && { records: usage.records, storedBytes: usage.storedBytes },
      anomalies,
      historyFile: anomalies.length === 0 ? undefined : await keepHistory(this.#history, seed),
    };
  }

  async #createTopics(raw: RawClient, retentionMs: number): Promise<void> {
    const configs: Record<string, Record<string, string>> = {
      trimmed: { 'retention.ms': String(retentionMs) },
      keyed: { 'cleanup.policy': 'compact', 'segment.ms': '1', 'min.cleanable.dirty.ratio': '0.1' },
    };
    for (const [topic, count] of Object.entries({ ...kept, ...compacted })) {
      await raw.createTopic(topic, count, configs[topic]);
    }
  }

  #allWork(): boolean {
    const producing = new Set(this.#history.flatMap((event) => (event.t === 'ack' ? [event.client] : [])));
    const reading = new Set(this.#history.flatMap((event) => (event.t === 'read' ? [event.client] : [])));
    return producing.size === 3 && reading.size === 3;
  }

  #progress(): string {
    const strikes = Object.values(this.#strikes.counts).reduce((sum, count) => sum + count, 0);
    const swaps = this.#counters.sum('penstock_metadata_merge_jobs_total', 'event="applied"');
    return `${strikes} faults, ${swaps} swaps, ${this.#history.length} events`;
  }

  #events(): StoredRecord[] {
    return Array.from({ length: kept.events }, (_, partition) => {
      const { records } = this.#evidence.partition('events', partition);
      const inOrder = [...records].sort(([left], [right]) => left - right);
      return inOrder.map(([offset, { id }]) => ({ partition, offset, value: recordValue(id, VALUE_BYTES) }));
    }).flat();
  }

  async #readCounters(): Promise<void> {
    const processes = [...this.#system.metadata, ...this.#system.agents];
    await Promise.all(processes.map(({ httpUrl }) => this.#counters.read(httpUrl)));
  }

  #jobCounts(kind: (typeof jobKinds)[number]): JobCounts {
    const count = (event: string): number =>
      this.#counters.sum('penstock_metadata_merge_jobs_total', `event="${event}"`, `level="${kind}"`);
    return {
      ...{ handedOut: count('handed-out'), applied: count('applied'), lost: count('lost') },
      ...{ stale: count('stale'), invalid: count('invalid') },
    };
  }

  /** Once no dead file is left, or the time is up. */
  async #audit(audit: BucketAudit): Promise<BucketState> {
    let state = await audit.compare(await this.#s3.objects());
    const isClean = async (): Promise<boolean> => {
      state = await audit.compare(await this.#s3.objects());
      return state.dead + state.missing.length + state.undeleted.length === 0;
    };
    await until('the bucket holds what the index names', isClean, TIMEOUT_MS).catch((error: Error) => {
      this.#stuck.push(`${error.message}: ${state.dead} dead files are left`);
    });
    return state;
  }
}

async function setConfig(bootstrap: string, topic: string, config: string): Promise<void> {
  const entity = ['--bootstrap-server', bootstrap, '--entity-type', 'topics', '--entity-name', topic];
  await kafkaTool('kafka-configs', [...entity, '--alter', '--add-config', config]);
}
