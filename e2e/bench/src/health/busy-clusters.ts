// A thousand clusters as the worker sees them: three agents that report every ten seconds, five consumer groups.
import { create } from '@bufbuild/protobuf';
import { type ClusterView, ClusterViewSchema } from '@penstock/metadata-protocol';
import { newId } from '@penstock/platform';
import { counterNames, emptySample, latencyStages, type Sample, sketchOf } from '@penstock/telemetry';
import { ReportStore } from '@penstock/telemetry-store';
import type { Pool } from 'pg';

const ORGANIZATION = 'bench';
export const ZONES = ['a', 'b', 'c'] as const;
const GROUPS = 5;
const PARTITIONS = 24;
export const WINDOW_MS = 10_000;
/** Reports stored per batch. */
const AT_ONCE = 200;

export interface BenchAgent {
  clusterId: string;
  agentId: string;
  incarnationId: string;
  zone: string;
}

/** One agent per zone. */
export function agentsOf(clusterId: string): BenchAgent[] {
  return ZONES.map((zone) => ({ clusterId, zone, agentId: newId(), incarnationId: newId() }));
}

/** One sample for all: its values do not affect the cost. Nearly every latency has its own bucket. */
export const busySample: Sample = {
  ...emptySample,
  windows: 1,
  durationMs: WINDOW_MS,
  counters: counterNames.map((_name, place) =>
    /error|lost|refused|fallback/.test(counterNames[place] ?? '') ? 0 : 1_000 + place,
  ),
  requests: new Map([
    [0, 100],
    [1, 200],
  ]),
  latencies: Object.values(latencyStages).map((stage) => ({
    stage,
    topicClass: 0,
    store: 's3',
    sketch: sketchOf(Array.from({ length: 400 }, (_, index) => 1_000 + index * 977)),
  })),
};

export class BusyClusters {
  nowMs = Math.floor(Date.now() / WINDOW_MS) * WINDOW_MS;
  readonly #startMs = this.nowMs;
  readonly #store: ReportStore;
  readonly #agents: BenchAgent[];
  readonly #views: Map<string, ClusterView>;
  #windows = 0;

  private constructor(pool: Pool, clusterIds: readonly string[]) {
    this.#store = new ReportStore({ pool, nowMs: () => this.nowMs, gatheringMs: 20, onNotRecorded: () => undefined });
    this.#agents = clusterIds.flatMap(agentsOf);
    const byCluster = Map.groupBy(this.#agents, ({ clusterId }) => clusterId);
    this.#views = new Map([...byCluster].map(([clusterId, agents]) => [clusterId, busyView(clusterId, agents)]));
  }

  /** Creates this many clusters whose metadata is open in some process. */
  static async make(pool: Pool, count: number): Promise<BusyClusters> {
    const clusterIds = Array.from({ length: count }, () => newId());
    await pool.query(`INSERT INTO organization (id, name, slug) VALUES ($1, 'Bench', 'bench')`, [ORGANIZATION]);
    await pool.query(
      `INSERT INTO virtual_cluster (id, organization_id, name, cloud, region, updated_at)
       SELECT id, $2, id::text, 'aws', 'x', now() FROM unnest($1::uuid[]) AS id`,
      [clusterIds, ORGANIZATION],
    );
    await pool.query(
      `INSERT INTO metadata_lease (cluster_id, owner_id, owner_url, epoch, expires_at)
       SELECT id, 'bench', 'http://bench', 1, now() + interval '1 day' FROM unnest($1::uuid[]) AS id`,
      [clusterIds],
    );
    return new BusyClusters(pool, clusterIds);
  }

  /** The metadata service's view of a cluster. It is precomputed: its cost is not measured here. */
  viewOf(clusterId: string): ClusterView {
    const view = this.#views.get(clusterId);
    if (view === undefined) {
      throw new Error(`There is no cluster ${clusterId}`);
    }
    return view;
  }

  /** Every agent reports its next window. */
  async report(): Promise<void> {
    const startElapsedMs = this.#windows * WINDOW_MS;
    this.#windows += 1;
    this.nowMs = Math.max(this.nowMs, this.#startMs + startElapsedMs + WINDOW_MS);
    const report = { sequence: this.#windows, startElapsedMs, durationMs: WINDOW_MS, sample: busySample };
    for (let at = 0; at < this.#agents.length; at += AT_ONCE) {
      const part = this.#agents.slice(at, at + AT_ONCE);
      await Promise.all(
        part.map((agent) =>
          this.#store.store({ ...agent, organizationId: ORGANIZATION, version: '0.1.0' }, this.nowMs - this.#startMs, [
            report,
          ]),
        ),
      );
    }
  }
}

/** The metadata service's view of a cluster whose agents are all alive and whose groups keep up. */
export function busyView(clusterId: string, agents: readonly Pick<BenchAgent, 'agentId' | 'zone'>[]): ClusterView {
  return create(ClusterViewSchema, {
    clusterId,
    agents: agents.map(({ agentId, zone }, index) => ({
      agentId,
      nodeId: index + 1,
      zone,
      version: '0.1.0',
      alive: true,
    })),
    groups: Array.from({ length: GROUPS }, (_group, index) => ({
      group: { groupId: `group-${index}`, members: [{}, {}] },
      offsets: Array.from({ length: PARTITIONS }, () => ({})),
      lagRecords: Array.from({ length: PARTITIONS }, () => 5n),
    })),
  });
}
