// What Kafka clients push of their metrics (KIP-714), by client id: who pushes, and each metric over time. PostgreSQL adds samples up, because
// a range may hold tens of megabytes of them.
import { Prisma } from '@penstock/database/client';
import {
  type ClientMetricLine,
  type ClientMetricName,
  clientLinesOf,
  clientMetricNames,
  clientMetricOf,
  clientMetrics,
  type Level,
  MAX_CLIENT_INSTANCES,
  MAX_CLIENT_SOFTWARE,
  type SeriesRange,
  type Unit,
} from '@penstock/telemetry';
import type { Scope } from '@penstock/tenancy';
import { HOUR_MS } from '@penstock/units';
import { findCluster } from '../cluster/cluster.ts';
import { chooseRange } from './choose-range.ts';

/** Samples that PostgreSQL adds up per query, newest first; each is about a kilobyte. */
const MAX_SAMPLES = 20_000;
/** Client IDs in a list: those that pushed last. */
const MAX_CLIENT_IDS = 1_000;
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
  /** There were more samples or client IDs than one query reads, so the oldest ones of the range are missing. */
  isTruncated: boolean;
  /**
   * Pushes that were dropped in the hours of the range, because a cluster stores a limited number of bytes per hour and an agent a limited
   * number of client IDs.
   */
  droppedPushes: number;
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

/** A client ID within a range. */
interface ClientRow {
  client_id: string;
  last_slot: Date;
  /** Name and version each; null when no client said them. */
  software: (readonly [string, string])[] | null;
  instances: number;
  is_producer: boolean;
  is_consumer: boolean;
  is_truncated: boolean;
}

/**
 * The client IDs that pushed metrics within the range, by name.
 * @throws AppError `cluster_not_found`, `range_invalid`
 */
export async function listClients(scope: Scope, input: ClientsRangeInput): Promise<ClientList> {
  const cluster = await findCluster(scope, input.clusterId);
  const { level, startMs, stepMs, steps } = chooseRange({ ...input, lines: USUAL_CLIENTS }, scope.now.getTime());
  const rows = await scope.tx.$queryRaw<ClientRow[]>`
    WITH recent AS MATERIALIZED (
      -- Each access to a sample decompresses all of it, so its parts are taken out at once.
      SELECT client_id, slot, part.instances, part.software,
        part.metrics ?| ${numbersOf('producer.')}::text[] AS is_producer,
        part.metrics ?| ${numbersOf('consumer.')}::text[] AS is_consumer
      FROM (
        SELECT client_id, slot, sample FROM ${tableOf(level)}
        WHERE cluster_id = ${cluster.id}::uuid
          AND slot >= ${new Date(startMs)} AND slot < ${new Date(startMs + steps * stepMs)}
        ORDER BY slot DESC LIMIT ${MAX_SAMPLES + 1}
      ) AS newest, jsonb_to_record(sample) AS part(instances jsonb, software jsonb, metrics jsonb)
    ), client AS MATERIALIZED (
      SELECT client_id, max(slot) AS last_slot,
        bool_or(is_producer) AS is_producer, bool_or(is_consumer) AS is_consumer
      FROM recent GROUP BY client_id ORDER BY max(slot) DESC, client_id LIMIT ${MAX_CLIENT_IDS + 1}
    ), instance AS MATERIALIZED (
      -- Most samples of a client list the same instances.
      SELECT client_id, count(*)::int AS instances
      FROM (
        SELECT DISTINCT client_id, id
        FROM (SELECT DISTINCT client_id, instances FROM recent) AS list, jsonb_array_elements_text(instances) AS id
      ) AS each GROUP BY client_id
    ), software AS MATERIALIZED (
      SELECT client_id, jsonb_agg(said ORDER BY said) FILTER (WHERE place <= ${MAX_CLIENT_SOFTWARE}) AS software
      FROM (
        SELECT client_id, said, row_number() OVER (PARTITION BY client_id ORDER BY said) AS place
        FROM recent, jsonb_array_elements(software) AS said GROUP BY client_id, said
      ) AS each GROUP BY client_id
    )
    SELECT client_id, last_slot, software, is_producer, is_consumer,
      least(coalesce(instances, 0), ${MAX_CLIENT_INSTANCES}::int) AS instances,
      (SELECT count(*) FROM recent) > ${MAX_SAMPLES} AS is_truncated
    FROM client LEFT JOIN instance USING (client_id) LEFT JOIN software USING (client_id)
    ORDER BY last_slot DESC, client_id`;
  const clients = rows.slice(0, MAX_CLIENT_IDS).map(summaryOf);
  return {
    clients: clients.sort((left, right) => (left.clientId < right.clientId ? -1 : 1)),
    isTruncated: rows.length > MAX_CLIENT_IDS || rows[0]?.is_truncated === true,
    droppedPushes: await droppedPushes(scope, cluster.id, startMs, startMs + steps * stepMs),
  };
}

async function droppedPushes(scope: Scope, clusterId: string, fromMs: number, toMs: number): Promise<number> {
  const [row] = await scope.tx.$queryRaw<{ dropped: number }[]>`
    SELECT coalesce(sum(dropped_pushes), 0)::float8 AS dropped FROM telemetry.client_hour
    WHERE cluster_id = ${clusterId}::uuid
      AND hour > ${new Date(fromMs - HOUR_MS)} AND hour < ${new Date(toMs)}`;
  return row?.dropped ?? 0;
}

/** The numbers of the metrics whose names begin so, as samples have them. */
function numbersOf(prefix: string): string[] {
  const names = clientMetricNames.filter((name) => name.startsWith(prefix));
  return names.map((name) => String(clientMetrics[name].number));
}

function summaryOf(row: ClientRow): ClientSummary {
  return {
    clientId: row.client_id,
    software: (row.software ?? []).map(([name, version]) => ({ name, version })),
    instances: row.instances,
    lastPushedAtMs: row.last_slot.getTime(),
    isProducer: row.is_producer,
    isConsumer: row.is_consumer,
  };
}

/** The readings of a metric within a step. */
interface StepRow {
  step: number;
  metric: number;
  readings: number;
  sum: number;
  max: number;
}

/**
 * Every metric that the clients of one client ID pushed within the range.
 * @throws AppError `cluster_not_found`, `range_invalid`
 */
export async function queryClientSeries(scope: Scope, input: ClientSeriesInput): Promise<ClientSeries> {
  const cluster = await findCluster(scope, input.clusterId);
  const range = chooseRange({ ...input, lines: 1 }, scope.now.getTime());
  const { level, startMs, stepMs, steps } = range;
  const rows = await scope.tx.$queryRaw<StepRow[]>`
    WITH recent AS (
      SELECT slot, sample FROM ${tableOf(level)}
      WHERE cluster_id = ${cluster.id}::uuid AND client_id = ${input.clientId}
        AND slot >= ${new Date(startMs)} AND slot < ${new Date(startMs + steps * stepMs)}
      ORDER BY slot DESC LIMIT ${MAX_SAMPLES}
    )
    SELECT floor((extract(epoch FROM slot) * 1000 - ${startMs}::float8) / ${stepMs}::float8)::int AS step,
      key::int AS metric, sum((value->>0)::float8) AS readings, sum((value->>1)::float8) AS sum,
      max((value->>2)::float8) AS max
    FROM recent, jsonb_each(sample->'metrics')
    GROUP BY 1, 2`;
  return {
    level,
    startMs,
    stepMs,
    steps,
    series: linesOf(rows, range).map((line) => ({ ...line, unit: clientMetrics[line.metric].unit })),
  };
}

function linesOf(rows: readonly StepRow[], range: SeriesRange): ClientMetricLine[] {
  const slots = rows.flatMap(({ step, metric, readings, sum, max }) => {
    const name = clientMetricOf(metric);
    const metrics = new Map(name === undefined ? [] : [[name, { readings, sum, max }]]);
    return [{ slotMs: range.startMs + step * range.stepMs, sample: { software: [], instances: [], metrics } }];
  });
  return clientLinesOf(slots, range);
}

/** Table names come from our code, not from input. */
function tableOf(level: Level): Prisma.Sql {
  return Prisma.raw(`telemetry."client_${level}"`);
}
