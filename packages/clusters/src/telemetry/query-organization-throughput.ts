// The throughput of all clusters of an organization, in and out.
import { decodeSample, type Level, type SlotSample, seriesOf, stepSamples } from '@penstock/telemetry';
import type { Scope } from '@penstock/tenancy';
import { chooseRange, rangeTooWide } from './choose-range.ts';
import { readZoneSlotsOfClusters } from './read-slots.ts';

export interface OrganizationThroughputInput {
  fromMs: number;
  toMs: number;
  /** The maximum number of steps; 360 by default. */
  maxPoints?: number | undefined;
}

export interface OrganizationThroughput {
  level: Level;
  /** Start of the first step, milliseconds since the Unix epoch; later ones follow every `stepMs`. */
  startMs: number;
  stepMs: number;
  steps: number;
  /** Oldest first. Each has `steps` values, null where nothing was measured. */
  clusters: {
    clusterId: string;
    name: string;
    producedBytesPerS: (number | null)[];
    fetchedBytesPerS: (number | null)[];
  }[];
  /** Clusters left out because there are more than fit: the newest ones. */
  omittedClusters: number;
}

const MAX_CLUSTERS = 100;
/** Zones per cluster, assumed for the choice of a level. Few clusters have more. */
const USUAL_ZONES = 3;
const MAX_SAMPLES = 60_000;

/** @param sees whether the reader has a role for a cluster. @throws AppError `range_invalid` */
export async function queryOrganizationThroughput(
  scope: Scope,
  input: OrganizationThroughputInput,
  sees: (clusterId: string) => boolean = () => true,
): Promise<OrganizationThroughput> {
  const found = await scope.tx.virtualCluster.findMany({
    where: { organizationId: scope.organizationId, deletedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true, name: true },
  });
  const all = found.filter(({ id }) => sees(id));
  const clusters = all.slice(0, MAX_CLUSTERS);
  const range = chooseRange({ ...input, lines: Math.max(1, clusters.length) * USUAL_ZONES }, scope.now.getTime());
  const { level, startMs, stepMs, steps } = range;
  const rows = await readZoneSlotsOfClusters(
    scope.tx,
    clusters.map(({ id }) => id),
    { level, startMs, endMs: startMs + steps * stepMs },
    MAX_SAMPLES + 1,
  );
  if (rows.length > MAX_SAMPLES) {
    throw rangeTooWide();
  }
  const slots = rows.map(
    ({ slotMs, owner, bytes }): SlotSample => ({ slotMs, group: owner, sample: decodeSample(bytes) }),
  );
  const stepped = stepSamples(slots, range);
  const produced = seriesOf(stepped, 'rate.produced_bytes').lines;
  const fetched = seriesOf(stepped, 'rate.fetched_bytes').lines;
  const nothing = new Array<null>(steps).fill(null);
  return {
    level,
    startMs,
    stepMs,
    steps,
    clusters: clusters.map(({ id, name }) => ({
      clusterId: id,
      name,
      producedBytesPerS: produced.find(({ group }) => group === id)?.values ?? nothing,
      fetchedBytesPerS: fetched.find(({ group }) => group === id)?.values ?? nothing,
    })),
    omittedClusters: all.length - clusters.length,
  };
}
