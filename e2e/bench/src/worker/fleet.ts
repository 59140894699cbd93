// Active clusters, each of an organization of its own with a budget and a cap: three agents that report every ten seconds, and a commit
// per second.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, encodeEntry, meterOf } from '@penstock/metadata-core';
import { newId } from '@penstock/platform';
import type { Sample } from '@penstock/telemetry';
import { ensurePartitions, ReportStore } from '@penstock/telemetry-store';
import { HOUR_MS, MINUTE_MS, monthStartMs } from '@penstock/units';
import type { Pool } from 'pg';
import { agentsOf, type BenchAgent, busySample, WINDOW_MS } from '../health/busy-clusters.ts';
import { makeReport, Random } from '../telemetry/reports.ts';

const ENTRY_INTERVAL_MS = 1_000;
const STORED_BYTES = 400_000;
const UNCOMPRESSED_BYTES = 1_600_000;
const RECORDS = 1_500;
const RUNS = 5;
/** Reports stored at once. */
const REPORTS_AT_ONCE = 50;
const HISTORY_CLUSTERS_AT_ONCE = 100;

/** A window with the latencies of a busy agent. */
const sample: Sample = {
  ...busySample,
  latencies: (makeReport(new Random(7)).latencies ?? []).map(({ stage, store, bucketGap, bucketCount }) => {
    let bucket = 0;
    const buckets = (bucketGap ?? []).map((gap) => {
      bucket += gap;
      return bucket;
    });
    return { stage: stage ?? 0, topicClass: 0, store: store ?? '', sketch: { buckets, counts: bucketCount ?? [] } };
  }),
};

/** Usage that the ledger must contain in the end. */
export interface Journaled {
  entries: number;
  uncompressedBytes: bigint;
  clusterMinutes: number;
}

export class WorkerFleet {
  readonly clusterIds: readonly string[];
  readonly agents: readonly BenchAgent[];
  readonly journaled: Journaled = { entries: 0, uncompressedBytes: 0n, clusterMinutes: 0 };
  readonly #pool: Pool;
  readonly #store: ReportStore;
  readonly #topicId = randomBytes(16);
  #seq = 0;
  #lastMinute = 0;
  #isStopping = false;
  #failure: unknown;
  #loads: Promise<void>[] = [];
  /** Seconds by which the load was late at most. */
  longestDelayS = 0;

  private constructor(pool: Pool, clusterIds: readonly string[]) {
    this.#pool = pool;
    this.clusterIds = clusterIds;
    this.agents = clusterIds.flatMap(agentsOf);
    this.#store = new ReportStore({ pool, nowMs: () => Date.now(), gatheringMs: 50, onNotRecorded: () => undefined });
  }

  /**
   * @param count clusters that are active
   * @param budgets organizations with a budget and a cap; those beyond `count` have a cluster that is not active any more
   */
  static async make(pool: Pool, count: number, budgets: number): Promise<WorkerFleet> {
    const all = Array.from({ length: Math.max(count, budgets) }, () => newId());
    const active = all.slice(0, count);
    await ensurePartitions(pool, Date.now());
    await pool.query(`INSERT INTO organization (id, name, slug) SELECT id, id, id FROM unnest($1::text[]) AS id`, [
      all,
    ]);
    await pool.query(
      `INSERT INTO billing_account (organization_id, budget_usd, cap_usd, updated_at)
       SELECT id, 1000000, 2000000, now() FROM unnest($1::text[]) AS id`,
      [all.slice(0, budgets)],
    );
    await pool.query(
      `INSERT INTO virtual_cluster (id, organization_id, name, cloud, region, updated_at)
       SELECT id::uuid, id, id, 'aws', 'x', now() FROM unnest($1::text[]) AS id`,
      [all],
    );
    await pool.query(
      `INSERT INTO metadata_lease (cluster_id, owner_id, owner_url, epoch, expires_at)
       SELECT id, 'bench', 'http://bench', 1, now() + interval '1 day' FROM unnest($1::uuid[]) AS id`,
      [active],
    );
    const fleet = new WorkerFleet(pool, active);
    await fleet.#writeHistory(all);
    return fleet;
  }

  /** The hours of this month so far, which budgets add up. */
  async #writeHistory(clusterIds: readonly string[]): Promise<void> {
    const nowMs = Date.now();
    const hours = Math.floor((nowMs - monthStartMs(nowMs)) / HOUR_MS);
    for (let at = 0; at < clusterIds.length; at += HISTORY_CLUSTERS_AT_ONCE) {
      await this.#pool.query(
        `INSERT INTO usage_hour (cluster_id, organization_id, hour, uncompressed_bytes, cluster_minutes, first_seq, last_seq)
         SELECT id::uuid, id, to_timestamp($2::float8 / 1000) + h * interval '1 hour', 1000000000, 60, 0, 0
         FROM unnest($1::text[]) AS id, generate_series(0, $3::int - 1) AS h`,
        [clusterIds.slice(at, at + HISTORY_CLUSTERS_AT_ONCE), monthStartMs(nowMs), hours],
      );
    }
    await this.#pool.query('ANALYZE usage_hour');
  }

  /** Starts reports and commits. */
  start(): void {
    this.#isStopping = false;
    this.#loads = [this.#commitEverySecond(), this.#reportAll()].map((load) =>
      load.catch((error: unknown) => {
        this.#failure ??= error;
      }),
    );
  }

  /** @throws the first failure of the load */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#loads);
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
  }

  /** Adds this many entries to every journal at once, as while no worker ran. */
  async addBacklog(entries: number): Promise<void> {
    for (let index = 0; index < entries; index += 1) {
      await this.#commit(Date.now());
    }
    await this.#pool.query('ANALYZE metadata_journal');
  }

  async #commitEverySecond(): Promise<void> {
    let dueMs = Date.now();
    while (!this.#isStopping) {
      await sleep(Math.max(0, dueMs - Date.now()));
      this.longestDelayS = Math.max(this.longestDelayS, (Date.now() - dueMs) / 1_000);
      await this.#commit(Date.now());
      // Late commits are not made up for, which would be a load of its own.
      dueMs = Math.max(dueMs + ENTRY_INTERVAL_MS, Date.now());
    }
  }

  async #commit(nowMs: number): Promise<void> {
    const minute = Math.floor(nowMs / MINUTE_MS);
    const isMark = minute !== this.#lastMinute;
    this.#lastMinute = minute;
    this.#seq += 1;
    const commands: Command[] = [this.#commitFile(nowMs)];
    if (isMark) {
      commands.push({ kind: 'minute-mark', minute, aliveAgentIds: ['a', 'b', 'c'] });
    }
    const meter = {
      ...meterOf([]),
      files: 1,
      storedBytes: STORED_BYTES,
      uncompressedBytes: UNCOMPRESSED_BYTES,
      records: RECORDS,
      clusterMinutes: isMark ? 1 : 0,
    };
    const entry = Buffer.from(encodeEntry({ nowMs, commands, meter }));
    await this.#pool.query({
      name: 'bench-commit',
      text: `INSERT INTO metadata_journal (cluster_id, seq, organization_id, entry)
             SELECT id::uuid, $2::bigint, id, $3::bytea FROM unnest($1::text[]) AS id`,
      values: [this.clusterIds, this.#seq, entry],
    });
    this.journaled.entries += this.clusterIds.length;
    this.journaled.uncompressedBytes += BigInt(UNCOMPRESSED_BYTES * this.clusterIds.length);
    this.journaled.clusterMinutes += isMark ? this.clusterIds.length : 0;
  }

  #commitFile(nowMs: number): Command {
    const of = (value: (run: number) => number): number[] => Array.from({ length: RUNS }, (_, run) => value(run));
    return {
      kind: 'commit-file',
      fileId: randomBytes(16),
      fileBytes: STORED_BYTES,
      topicIds: [this.#topicId],
      runTopic: Uint32Array.from(of(() => 0)),
      runPartition: Uint32Array.from(of((run) => run)),
      runPosition: Float64Array.from(of((run) => (run * STORED_BYTES) / RUNS)),
      runBatches: Uint32Array.from(of(() => 1)),
      batchBytes: Uint32Array.from(of(() => STORED_BYTES / RUNS)),
      batchRecords: Uint32Array.from(of(() => RECORDS / RUNS)),
      batchMaxTimestampMs: Float64Array.from(of(() => nowMs)),
      batchUncompressedBytes: Float64Array.from(of(() => UNCOMPRESSED_BYTES / RUNS)),
      producers: null,
    };
  }

  /** Each agent reports every ten seconds, spread evenly. */
  async #reportAll(): Promise<void> {
    const originMs = Date.now() - WINDOW_MS;
    const parts = Math.max(1, Math.ceil(this.agents.length / REPORTS_AT_ONCE));
    for (let window = 0; !this.#isStopping; window += 1) {
      for (let part = 0; part < parts && !this.#isStopping; part += 1) {
        const dueMs = originMs + WINDOW_MS * (window + 1 + part / parts);
        await sleep(Math.max(0, dueMs - Date.now()));
        this.longestDelayS = Math.max(this.longestDelayS, (Date.now() - dueMs) / 1_000);
        const startElapsedMs = window * WINDOW_MS;
        const report = { sequence: window + 1, startElapsedMs, durationMs: WINDOW_MS, sample };
        const agents = this.agents.slice(part * REPORTS_AT_ONCE, (part + 1) * REPORTS_AT_ONCE);
        await Promise.all(
          agents.map((agent) =>
            this.#store.store({ ...agent, organizationId: agent.clusterId, version: '0.1.0' }, Date.now() - originMs, [
              report,
            ]),
          ),
        );
      }
    }
  }
}
