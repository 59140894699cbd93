// The worker's health check of every active cluster, every few seconds. A few statements serve all clusters together,
// including the histories saved once a minute. A cluster needs its own transaction only if something visible changed.
import { type Database, queriesIn } from '@penstock/database/client';
import { type Assessment, assess, type History, newHistory, readHistory } from '@penstock/health';
import { type CellAnswer, type Cells, readOpenClusters, readStoppedClusters } from '@penstock/metadata-journal';
import { isUuid, MAIN_CELL, SHARDS } from '@penstock/platform';
import { type Actor, inTransaction, type Scope } from '@penstock/tenancy';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { type ReadState, readClusterState } from './cluster-state.ts';
import { notifyAboutFindings } from './notify-about-findings.ts';
import { readWindows } from './read-windows.ts';
import { recordAssessment } from './record-assessment.ts';

const actor: Actor = { type: 'system', id: null, label: 'Health rules', source: 'worker' };
/** Concurrent calls to the metadata service. */
const CONCURRENCY = 16;
/** Histories written per statement: some kilobytes each. */
const KEPT_AT_ONCE = 250;
const everyShard = Array.from({ length: SHARDS }, (_, shard) => shard);

export interface HealthWatchOptions {
  database: Database;
  /** The databases that know which clusters are open; only this one if omitted. */
  cells?: Pick<Cells, 'ask'> | undefined;
  metadata: Pick<MetadataAdmin, 'getClusterView'>;
  /** For links in mails, which have none without it. */
  webUrl: string | undefined;
  /** The shards whose clusters are checked; all if omitted. */
  shards?: readonly number[] | undefined;
}

export interface CheckOutcome {
  /** How many were checked. */
  clusters: number;
  raised: { clusterId: string; key: string }[];
  resolved: { clusterId: string; key: string }[];
  /** Findings that alerts were sent about. */
  notified: number;
  /** Clusters whose check failed, or whose state could not be read. The latter count as unreachable. */
  failures: { clusterId: string; error: unknown }[];
  /** Cells that did not answer. Clusters that were open at the last check are still checked. */
  unseenCells: { cell: string; error: unknown }[];
}

interface Row {
  id: string;
  name: string;
  organization_id: string;
  assessed_at: Date | null;
  is_stopped: boolean;
  is_low_latency: boolean;
  held_hours: number;
}

interface Remembered {
  history: History;
  /** When it was checked. A worker that checked later has the newer history. */
  atMs: number;
}

export class HealthWatch {
  readonly #options: HealthWatchOptions;
  #remembered = new Map<string, Remembered>();

  constructor(options: HealthWatchOptions) {
    this.#options = options;
  }

  /** Checks all active clusters of its shards once. */
  async check(now: Date): Promise<CheckOutcome> {
    const { database, shards } = this.#options;
    const control = queriesIn(database);
    const open = (await this.#options.cells?.ask((pool) => readOpenClusters(pool, shards))) ?? [
      { cell: MAIN_CELL, answer: await readOpenClusters(control, shards) },
    ];
    const unseenCells = open.filter(isUnanswered);
    const outcome: CheckOutcome = { clusters: 0, raised: [], resolved: [], notified: 0, failures: [], unseenCells };
    const stopped = await readStoppedClusters(control);
    const clusters = await activeClusters(
      database,
      open.flatMap((cell) => (isUnanswered(cell) ? [] : cell.answer)),
      stopped.map(({ clusterId }) => clusterId),
      shards ?? everyShard,
    );
    const faults = new Map(stopped.map(({ clusterId, fault }) => [clusterId, fault]));
    await this.#remember(clusters, now);
    const windows = await readWindows(
      database,
      clusters.map(({ id }) => id),
      now,
    );
    const unchanged: string[] = [];
    const toKeep: { cluster: Row; history: History }[] = [];
    const unnotified = await clustersWithUnnotified(database);
    const waiting = [...clusters];
    const work = async (): Promise<void> => {
      for (let cluster = waiting.shift(); cluster !== undefined; cluster = waiting.shift()) {
        try {
          const isStopped = cluster.is_stopped;
          const fault = faults.get(cluster.id) ?? null;
          const { state, error }: ReadState = isStopped ? { state: null } : await this.#readState(cluster.id);
          if (error !== undefined) {
            outcome.failures.push({ clusterId: cluster.id, error });
          }
          if (state === undefined) {
            continue;
          }
          const before = this.#remembered.get(cluster.id)?.history ?? newHistory(now.getTime());
          const assessment = assess(
            {
              atMs: now.getTime(),
              state,
              isStopped,
              fault,
              isLowLatency: cluster.is_low_latency,
              heldHours: cluster.held_hours,
              windows: windows.get(cluster.id) ?? [],
            },
            before,
          );
          if (cluster.assessed_at === null || assessment.change === 'notify') {
            outcome.notified += await this.#record(cluster, assessment, now);
          } else {
            unchanged.push(cluster.id);
            if (assessment.change === 'memory') {
              toKeep.push({ cluster, history: assessment.history });
            }
            if (unnotified.has(cluster.id)) {
              outcome.notified += await this.#notify(cluster, now);
            }
          }
          this.#remembered.set(cluster.id, { history: assessment.history, atMs: now.getTime() });
          outcome.clusters += 1;
          for (const { key } of assessment.raised) {
            outcome.raised.push({ clusterId: cluster.id, key });
          }
          for (const { key } of assessment.resolved) {
            outcome.resolved.push({ clusterId: cluster.id, key });
          }
        } catch (error) {
          outcome.failures.push({ clusterId: cluster.id, error });
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    for (let at = 0; at < toKeep.length; at += KEPT_AT_ONCE) {
      await this.#keep(toKeep.slice(at, at + KEPT_AT_ONCE), now);
    }
    await database.$executeRaw`UPDATE cluster_health SET assessed_at = ${now} WHERE cluster_id = ANY(${unchanged}::uuid[])`;
    return outcome;
  }

  /** Loads histories. This process's own history is valid as long as no other process has checked since. */
  async #remember(clusters: readonly Row[], now: Date): Promise<void> {
    const kept = new Map<string, Remembered>();
    const missing: string[] = [];
    for (const { id, assessed_at: assessedAt } of clusters) {
      const own = this.#remembered.get(id);
      if (own !== undefined && assessedAt?.getTime() === own.atMs) {
        kept.set(id, own);
      } else if (assessedAt !== null) {
        missing.push(id);
      }
    }
    if (missing.length > 0) {
      const rows = await this.#options.database.clusterHealthHistory.findMany({
        where: { clusterId: { in: missing } },
      });
      for (const { clusterId, history } of rows) {
        const read = readHistory(history);
        // A later version uses another format: start with an empty history.
        if (read !== null) {
          kept.set(clusterId, { history: read, atMs: now.getTime() });
        }
      }
    }
    this.#remembered = kept;
  }

  /**
   * Updates the clusters' check times afterwards. A process that reads an older history than that reads one of the same
   * minute.
   */
  async #keep(kept: readonly { cluster: Row; history: History }[], now: Date): Promise<void> {
    await this.#options.database.$executeRaw`
      INSERT INTO cluster_health_history (cluster_id, organization_id, history, saved_at)
      SELECT id, organization_id, history::jsonb, ${now} FROM unnest(
        ${kept.map(({ cluster }) => cluster.id)}::uuid[],
        ${kept.map(({ cluster }) => cluster.organization_id)}::text[],
        ${kept.map(({ history }) => JSON.stringify(history))}::text[]
      ) AS kept (id, organization_id, history)
      ON CONFLICT (cluster_id) DO UPDATE SET history = excluded.history, saved_at = excluded.saved_at`;
  }

  /** As the metadata service answers, with the name of a key in place of its id. */
  async #readState(clusterId: string): Promise<ReadState> {
    const { metadata, database } = this.#options;
    const read = await readClusterState(metadata, clusterId);
    const { state } = read;
    if (state?.jobRefusal === undefined || !isUuid(state.jobRefusal.key)) {
      return read;
    }
    const key = await database.agentKey.findFirst({
      where: { id: state.jobRefusal.key, clusterId },
      select: { name: true },
    });
    return key === null ? read : { state: { ...state, jobRefusal: { ...state.jobRefusal, key: key.name } } };
  }

  #record(cluster: Row, assessment: Assessment, now: Date): Promise<number> {
    return this.#inScope(cluster, now, async (scope) => {
      await recordAssessment(scope, cluster.id, assessment);
      return notifyAboutFindings(scope, cluster, this.#options.webUrl);
    });
  }

  #notify(cluster: Row, now: Date): Promise<number> {
    return this.#inScope(cluster, now, (scope) => notifyAboutFindings(scope, cluster, this.#options.webUrl));
  }

  #inScope<T>({ organization_id: organizationId }: Row, now: Date, work: (scope: Scope) => Promise<T>): Promise<T> {
    return inTransaction(this.#options.database, (tx) => work({ tx, organizationId, actor, now }));
  }
}

function isUnanswered<Answer>(answer: CellAnswer<Answer>): answer is Extract<CellAnswer<Answer>, { error: unknown }> {
  return 'error' in answer;
}

/** Clusters that are open or stopped, and those whose level was not `waiting` at the last check. */
function activeClusters(
  database: Database,
  open: readonly string[],
  stopped: readonly string[],
  shards: readonly number[],
): Promise<Row[]> {
  return database.$queryRaw<Row[]>`
    SELECT c.id, c.name, c.organization_id, h.assessed_at, c.id = ANY(${stopped}::uuid[]) AS is_stopped,
      c.mode = 'low-latency' AS is_low_latency,
      (SELECT count(*)::int FROM usage_hold u WHERE u.cluster_id = c.id AND u.status = 'held') AS held_hours
    FROM virtual_cluster c LEFT JOIN cluster_health h ON h.cluster_id = c.id
    WHERE c.deleted_at IS NULL AND get_byte(uuid_send(c.id), 15) % ${SHARDS} = ANY(${[...shards]}::int[])
      AND (c.id = ANY(${[...open, ...stopped]}::uuid[]) OR h.level <> 'waiting')`;
}

async function clustersWithUnnotified(database: Database): Promise<Set<string>> {
  const rows = await database.$queryRaw<{ cluster_id: string }[]>`
    SELECT DISTINCT cluster_id FROM health_finding
    WHERE (resolved_at IS NULL AND notified_at IS NULL)
       OR (resolved_at IS NOT NULL AND notified_at IS NOT NULL AND resolved_told_at IS NULL)`;
  return new Set(rows.map(({ cluster_id: clusterId }) => clusterId));
}
