// What Kafka clients push of their metrics (KIP-714), by client id: who pushes, and each metric over time.
import { Prisma } from '@penstock/database/client';
import {
  type ClientMetricName,
  type ClientSample,
  clientLinesOf,
  clientMetrics,
  fromStoredClientSample,
  type Level,
  mergeClientSamples,
  type StoredClientSample,
  type Unit,
} from '@penstock/telemetry';
import type { Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import { chooseRange } from './choose-range.ts';

/** Samples read per query, newest first; each is about a kilobyte. */
const MAX_SAMPLES = 20_000;
/** Client ids for which a list over an hour still reads each sample of ten seconds. */
const USUAL_CLIENTS = 20;

export interface ClientsRangeInput {
  clusterId: string;
  fromMs: number;
  toMs: number;
}

export interface ClientSeriesInput extends ClientsRangeInput {
  clientId: string;
  /** The maximum number of steps; 360 by default. */
  maxPoints?: number | undefined;
}

export interface ClientSummary {
  /** Empty for clients that have none. */
  clientId: string;
  software: { name: string; version: string }[];
  /** Instances that pushed within the range; at most 200 are counted. */
  instances: number;
  /** The start of the last slot in which one pushed. */
  lastPushedAtMs: number;
  isProducer: boolean;
  isConsumer: boolean;
}

export interface ClientList {
  clients: ClientSummary[];
  /** There were more samples than one query reads, so the oldest ones of the range are missing. */
  isTruncated: boolean;
}

export interface ClientSeries {
  level: Level;
  /** Start of the first step, milliseconds since the Unix epoch; later ones follow every `stepMs`. */
  startMs: number;
  stepMs: number;
  steps: number;
  /** Metrics with a value in the range. Each list has `steps` values, null where nothing was pushed. */
  series: {
    metric: ClientMetricName;
    unit: Unit;
    /** The mean of all instances and pushes. */
    mean: (number | null)[];
    /** The highest value of any instance. */
    max: (number | null)[];
  }[];
}

interface Row {
  client_id: string;
  slot: Date;
  sample: StoredClientSample;
}

/**
 * The client IDs that pushed metrics within the range, by name.
 * @throws AppError `cluster_not_found`, `range_invalid`
 */
export async function listClients(scope: Scope, input: ClientsRangeInput): Promise<ClientList> {
  const cluster = await findCluster(scope, input.clusterId);
  const { level, startMs, stepMs, steps } = chooseRange({ ...input, lines: USUAL_CLIENTS }, scope.now.getTime());
  const rows = await scope.tx.$queryRaw<Row[]>`
    SELECT client_id, slot, sample FROM ${tableOf(level)}
    WHERE cluster_id = ${cluster.id}::uuid
      AND slot >= ${new Date(startMs)} AND slot < ${new Date(startMs + steps * stepMs)}
    ORDER BY slot DESC LIMIT ${MAX_SAMPLES + 1}`;
  const byClient = Map.groupBy(rows.slice(0, MAX_SAMPLES), (row) => row.client_id);
  const clients = [...byClient].map(([clientId, own]) => summaryOf(clientId, own));
  return {
    clients: clients.sort((left, right) => (left.clientId < right.clientId ? -1 : 1)),
    isTruncated: rows.length > MAX_SAMPLES,
  };
}

/** @param rows newest first */
function summaryOf(clientId: string, rows: readonly Row[]): ClientSummary {
  const { software, instances, metrics } = mergeClientSamples(rows.map(sampleOf));
  const names = [...metrics.keys()];
  return {
    clientId,
    software: software.map(([name, version]) => ({ name, version })),
    instances: instances.length,
    lastPushedAtMs: rows[0]?.slot.getTime() ?? 0,
    isProducer: names.some((name) => name.startsWith('producer.')),
    isConsumer: names.some((name) => name.startsWith('consumer.')),
  };
}

/**
 * Every metric that the clients of one client ID pushed within the range.
 * @throws AppError `cluster_not_found`, `range_invalid`
 */
export async function queryClientSeries(scope: Scope, input: ClientSeriesInput): Promise<ClientSeries> {
  const cluster = await findCluster(scope, input.clusterId);
  const range = chooseRange({ ...input, lines: 1 }, scope.now.getTime());
  const { level, startMs, stepMs, steps } = range;
  const rows = await scope.tx.$queryRaw<Row[]>`
    SELECT client_id, slot, sample FROM ${tableOf(level)}
    WHERE cluster_id = ${cluster.id}::uuid AND client_id = ${input.clientId}
      AND slot >= ${new Date(startMs)} AND slot < ${new Date(startMs + steps * stepMs)}
    ORDER BY slot DESC LIMIT ${MAX_SAMPLES}`;
  const lines = clientLinesOf(
    rows.map((row) => ({ slotMs: row.slot.getTime(), sample: sampleOf(row) })),
    range,
  );
  return {
    level,
    startMs,
    stepMs,
    steps,
    series: lines.map((line) => ({ ...line, unit: clientMetrics[line.metric].unit })),
  };
}

function sampleOf({ sample }: Row): ClientSample {
  return fromStoredClientSample(sample);
}

/** Table names come from our code, not from input. */
function tableOf(level: Level): Prisma.Sql {
  return Prisma.raw(`telemetry."client_${level}"`);
}
