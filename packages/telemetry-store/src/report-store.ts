// Stores the reports of agents. Those that arrive close together share one statement. Each is stored once, however often it arrives.
import {
  type AgentDiagnosis,
  alignedOriginMs,
  CLIENT_BYTES_PER_HOUR,
  type ClientSample,
  encodeSample,
  isTroubled,
  LATEST_REPORT_MS,
  type Sample,
  slotOfWindowMs,
} from '@penstock/telemetry';
import { MINUTE_MS } from '@penstock/units';
import type { Pool } from 'pg';
import { type ReportedAccess, storeAccess } from './access-store.ts';
import { type ClientRow, insertClientRows, type PushedInWindow } from './client-store.ts';
import { ensurePartitions } from './partitions.ts';

/** How long a report waits for others to share a statement with. */
const GATHERING_MS = 200;
/** The most rows per statement. */
const MAX_ROWS = 2_000;
/** The most incarnations whose rows are cached. */
const MAX_KNOWN = 20_000;
/** How far the clocks of an agent and of the service may drift apart before the agent must start over. */
const MAX_DRIFT_MS = 10_000;
/** How often an incarnation's row is updated for new reports. */
const LAST_SLOT_INTERVAL_MS = 5 * MINUTE_MS;
/** PostgreSQL's code for "no partition of relation found for row". */
const NO_PARTITION = '23514';

/** The agent that reports. */
export interface Reporter {
  clusterId: string;
  organizationId: string;
  /** The UUID of the incarnation. */
  incarnationId: string;
  agentId: string;
  zone: string;
  version: string;
}

/** One validated window of an agent. */
export interface WindowReport {
  sequence: number;
  startElapsedMs: number;
  durationMs: number;
  sample: Sample;
  /** The metrics that clients pushed, by client id. */
  clients?: ReadonlyMap<string, ClientSample>;
  /** Pushes that the agent has left out, because there were too many. */
  leftOutPushes?: number;
}

export interface Refusal {
  sequence: number;
  reason: string;
}

export interface ReportOutcome {
  /** Reports that arrived too late. All others are stored, now or before. */
  refused: Refusal[];
  hasDrifted: boolean;
}

interface Incarnation {
  agentNo: string;
  originMs: number;
  lastSlotMs: number;
}

interface Row {
  clusterId: string;
  slot: string;
  agentNo: string;
  sequence: number;
  sample: Uint8Array;
  clients: readonly ClientRow[];
}

interface Batch {
  rows: Row[];
  written: Promise<void>;
}

export interface ReportStoreOptions {
  pool: Pool;
  nowMs: () => number;
  /** How long a report waits for others to share a statement with. Default: 200 ms. */
  gatheringMs?: number;
  /** Maximum size of pushed metrics stored per cluster and hour. Default: 8 MiB. */
  clientBytesPerHour?: number;
  /** Recording something that agents need not know of failed. */
  onNotRecorded: (error: unknown) => void;
}

export class ReportStore {
  readonly #options: ReportStoreOptions;
  readonly #known = new Map<string, Incarnation>();
  #open: Batch | undefined;
  readonly #underWay = new Set<Promise<void>>();
  /** Reports refused since the start, by a short reason. */
  readonly refusedByReason = new Map<string, number>();
  /** Reports stored since the start, without duplicates. */
  storedReports = 0;
  /** Pushes of clients' metrics that were dropped since the start, by agents or here. */
  droppedPushes = 0;

  constructor(options: ReportStoreOptions) {
    this.#options = options;
  }

  /**
   * Stores the reports of one call. Resolves when they are durable.
   * @param sentElapsedMs when the call was sent, on the agent's monotonic clock since its incarnation began
   * @throws when the database fails: the reports may or may not be stored, and the same ones may be sent again
   */
  async store(reporter: Reporter, sentElapsedMs: number, reports: readonly WindowReport[]): Promise<ReportOutcome> {
    const nowMs = this.#options.nowMs();
    const incarnation = await this.#incarnation(reporter, nowMs - sentElapsedMs, nowMs);
    const refused: Refusal[] = [];
    const writes: Promise<void>[] = [];
    const aligned = alignedOriginMs(incarnation.originMs);
    let newestMs = incarnation.lastSlotMs;
    for (const { sequence, startElapsedMs, durationMs, sample, clients, leftOutPushes } of reports) {
      const slotMs = slotOfWindowMs(aligned, startElapsedMs, durationMs);
      if (slotMs < nowMs - LATEST_REPORT_MS) {
        refused.push({ sequence, reason: `the window lies more than ${LATEST_REPORT_MS / MINUTE_MS} minutes back` });
        continue;
      }
      newestMs = Math.max(newestMs, slotMs);
      const place = {
        clusterId: reporter.clusterId,
        slot: new Date(slotMs).toISOString(),
        agentNo: incarnation.agentNo,
        sequence,
      };
      const pushed: PushedInWindow[] = [...(clients ?? [])].map(([clientId, own]) => ({ clientId, sample: own }));
      if (leftOutPushes !== undefined && leftOutPushes > 0) {
        pushed.push({ leftOutPushes });
      }
      const clientRows = pushed.map((one) => ({ ...place, pushed: one }));
      writes.push(this.#add({ ...place, sample: encodeSample(sample), clients: clientRows }));
    }
    await Promise.all(writes);
    if (refused.length > 0) {
      this.refuse(reporter, sentElapsedMs, 'late', refused);
    }
    if (newestMs - incarnation.lastSlotMs >= LAST_SLOT_INTERVAL_MS) {
      this.#tellLastSlot(incarnation, newestMs);
    }
    return { refused, hasDrifted: Math.abs(nowMs - sentElapsedMs - incarnation.originMs) > MAX_DRIFT_MS };
  }

  /**
   * Stores an agent's diagnosis in place of its earlier one.
   * @param sentElapsedMs as for `store`
   * @throws when the database fails
   */
  async storeDiagnosis(reporter: Reporter, sentElapsedMs: number, diagnosis: AgentDiagnosis): Promise<void> {
    const nowMs = this.#options.nowMs();
    const { agentNo } = await this.#incarnation(reporter, nowMs - sentElapsedMs, nowMs);
    await this.#options.pool.query({
      name: 'telemetry-diagnosis',
      text: 'UPDATE telemetry.agent SET diagnosis = $2, is_troubled = $3 WHERE agent_no = $1',
      values: [agentNo, JSON.stringify(diagnosis), isTroubled(diagnosis)],
    });
  }

  /**
   * Stores what an agent reports about access control.
   * @throws when the database fails
   */
  async storeAccess(reporter: Reporter, access: ReportedAccess): Promise<void> {
    await storeAccess(this.#options.pool, reporter, access);
  }

  /**
   * Counts refused reports, per agent and in total.
   * @param sentElapsedMs as for `store`
   * @param kind a short reason, one of a few
   */
  refuse(reporter: Reporter, sentElapsedMs: number, kind: string, refused: readonly Pick<Refusal, 'reason'>[]): void {
    this.refusedByReason.set(kind, (this.refusedByReason.get(kind) ?? 0) + refused.length);
    const nowMs = this.#options.nowMs();
    this.#incarnation(reporter, nowMs - sentElapsedMs, nowMs)
      .then(({ agentNo }) =>
        this.#options.pool.query({
          name: 'telemetry-refused',
          text: `UPDATE telemetry.agent SET refused_reports = refused_reports + $2, last_refusal = $3, last_refused_at = now()
                 WHERE agent_no = $1`,
          values: [agentNo, refused.length, refused.at(-1)?.reason ?? kind],
        }),
      )
      .catch(this.#options.onNotRecorded);
  }

  /** Resolves when no report is in progress. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  /** The row of an incarnation. The first report creates it, which fixes when the incarnation began. */
  async #incarnation(reporter: Reporter, originMs: number, nowMs: number): Promise<Incarnation> {
    const key = `${reporter.clusterId} ${reporter.incarnationId}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      return known;
    }
    const { rows } = await this.#options.pool.query<{ agent_no: string; origin: Date; last_slot: Date }>({
      name: 'telemetry-incarnation',
      // DO UPDATE, so that the row is returned even if another agent created it.
      text: `INSERT INTO telemetry.agent AS known
               (cluster_id, organization_id, incarnation_id, agent_id, zone, version, origin, last_slot)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
             ON CONFLICT (cluster_id, incarnation_id) DO UPDATE SET version = known.version
             RETURNING agent_no, origin, last_slot`,
      values: [
        reporter.clusterId,
        reporter.organizationId,
        reporter.incarnationId,
        reporter.agentId,
        reporter.zone,
        reporter.version,
        new Date(originMs),
        new Date(nowMs),
      ],
    });
    const [row] = rows;
    if (row === undefined) {
      throw new Error('the row of an incarnation did not come back');
    }
    const incarnation = { agentNo: row.agent_no, originMs: row.origin.getTime(), lastSlotMs: row.last_slot.getTime() };
    if (this.#known.size >= MAX_KNOWN) {
      this.#known.clear();
    }
    this.#known.set(key, incarnation);
    return incarnation;
  }

  #tellLastSlot(incarnation: Incarnation, slotMs: number): void {
    incarnation.lastSlotMs = slotMs;
    this.#options.pool
      .query({
        name: 'telemetry-last-slot',
        text: 'UPDATE telemetry.agent SET last_slot = greatest(last_slot, $2) WHERE agent_no = $1',
        values: [incarnation.agentNo, new Date(slotMs)],
      })
      .catch(this.#options.onNotRecorded);
  }

  #add(row: Row): Promise<void> {
    if (this.#open === undefined) {
      const rows: Row[] = [];
      const written = new Promise<void>((resolve) =>
        setTimeout(resolve, this.#options.gatheringMs ?? GATHERING_MS),
      ).then(() => {
        if (this.#open?.rows === rows) {
          this.#open = undefined;
        }
        return this.#write(rows);
      });
      this.#open = { rows, written };
      this.#underWay.add(written);
      const forget = (): boolean => this.#underWay.delete(written);
      written.then(forget, forget);
    }
    const { rows, written } = this.#open;
    rows.push(row);
    if (rows.length >= MAX_ROWS) {
      this.#open = undefined;
    }
    return written;
  }

  async #write(rows: readonly Row[]): Promise<void> {
    try {
      this.storedReports += await this.#insert(rows);
    } catch (error) {
      if ((error as { code?: unknown }).code !== NO_PARTITION) {
        throw error;
      }
      await ensurePartitions(this.#options.pool, this.#options.nowMs());
      this.storedReports += await this.#insert(rows);
    }
  }

  /** One statement: inserts the reports that are new, and marks their slots for roll-up (again). What clients pushed is there before. */
  async #insert(rows: readonly Row[]): Promise<number> {
    this.droppedPushes += await insertClientRows(
      this.#options.pool,
      rows.flatMap(({ clients }) => clients),
      this.#options.clientBytesPerHour ?? CLIENT_BYTES_PER_HOUR,
    );
    const { rows: counts } = await this.#options.pool.query<{ stored: number }>({
      name: 'telemetry-store',
      text: `WITH stored AS (
               INSERT INTO telemetry.agent_10s (cluster_id, slot, agent_no, seq, sample)
               SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::bytea[])
               ON CONFLICT DO NOTHING RETURNING cluster_id, slot
             ), due AS (
               INSERT INTO telemetry.due (level, slot, cluster_id)
               SELECT DISTINCT '10s', slot, cluster_id FROM stored ORDER BY slot, cluster_id
               ON CONFLICT (level, slot, cluster_id) DO UPDATE SET level = excluded.level
             )
             SELECT count(*)::int AS stored FROM stored`,
      values: [
        rows.map(({ clusterId }) => clusterId),
        rows.map(({ slot }) => slot),
        rows.map(({ agentNo }) => agentNo),
        rows.map(({ sequence }) => sequence),
        rows.map(({ sample }) => Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength)),
      ],
    });
    return counts[0]?.stored ?? 0;
  }
}
