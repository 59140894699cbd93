// The charts of a client ID: the metrics behind their lines, and how pushes become lines. Pure.
import type { TimeSeriesInput } from '@penstock/charts';
import { MINUTE_MS } from '@penstock/units';
import type { RouterOutputs } from '../../lib/trpc';

export type ClientSeries = RouterOutputs['telemetry']['clientSeries'];
type ClientMetric = ClientSeries['series'][number]['metric'];

export interface ClientChart {
  id: string;
  title: string;
  note: string;
  lines: readonly { metric: ClientMetric; of: 'mean' | 'max'; label: string }[];
}

export interface ClientChartGroup {
  title: string;
  charts: readonly ClientChart[];
}

/** One metric of every instance: on average, and of the instance with the highest value. */
function perInstance(metric: ClientMetric): ClientChart['lines'] {
  return [
    { metric, of: 'mean', label: 'Average instance' },
    { metric, of: 'max', label: 'Highest instance' },
  ];
}

/** A time that clients measure themselves: its average, and its maximum. */
function averageAndMax(average: ClientMetric, max: ClientMetric): ClientChart['lines'] {
  return [
    { metric: average, of: 'mean', label: 'Average' },
    { metric: max, of: 'max', label: 'Maximum' },
  ];
}

export const clientChartGroups: readonly ClientChartGroup[] = [
  {
    title: 'Producers',
    charts: [
      {
        id: 'record-send-rate',
        title: 'Record send rate',
        note: 'Records sent per second and instance.',
        lines: perInstance('producer.record.send.rate'),
      },
      {
        id: 'outgoing-byte-rate',
        title: 'Bytes sent',
        note: 'Bytes sent per second and instance, to all agents.',
        lines: perInstance('producer.outgoing.byte.rate'),
      },
      {
        id: 'record-queue-time',
        title: 'Record queue time',
        note: 'Time that batches wait in the producer before they are sent.',
        lines: averageAndMax('producer.record.queue.time.avg', 'producer.record.queue.time.max'),
      },
      {
        id: 'producer-request-latency',
        title: 'Producer request latency',
        note: 'From sending a request to receiving the response, as the client measures it.',
        lines: averageAndMax('producer.node.request.latency.avg', 'producer.node.request.latency.max'),
      },
      {
        id: 'record-errors',
        title: 'Failed and retried records',
        note: 'Records per second and instance.',
        lines: [
          { metric: 'producer.record.error.rate', of: 'mean', label: 'Failed' },
          { metric: 'producer.record.retry.rate', of: 'mean', label: 'Retried' },
        ],
      },
      {
        id: 'produce-throttle-time',
        title: 'Produce throttle time',
        note: 'Time that quotas hold the producer back, per request.',
        lines: averageAndMax('producer.produce.throttle.time.avg', 'producer.produce.throttle.time.max'),
      },
      {
        id: 'producer-connections',
        title: 'Producer connections',
        note: 'New connections per second and instance.',
        lines: perInstance('producer.connection.creation.rate'),
      },
    ],
  },
  {
    title: 'Consumers',
    charts: [
      {
        id: 'records-consumed-rate',
        title: 'Records consumed',
        note: 'Records per second and instance.',
        lines: perInstance('consumer.fetch.manager.records.consumed.rate'),
      },
      {
        id: 'bytes-consumed-rate',
        title: 'Bytes consumed',
        note: 'Bytes per second and instance.',
        lines: perInstance('consumer.fetch.manager.bytes.consumed.rate'),
      },
      {
        id: 'records-lag-max',
        title: 'Highest record lag',
        note: 'Records that the furthest-behind partition has left, per instance.',
        lines: perInstance('consumer.fetch.manager.records.lag.max'),
      },
      {
        id: 'client-fetch-latency',
        title: 'Fetch latency',
        note: 'From sending a fetch to receiving the response. A consumer at the tail waits for new records.',
        lines: averageAndMax('consumer.fetch.manager.fetch.latency.avg', 'consumer.fetch.manager.fetch.latency.max'),
      },
      {
        id: 'consumer-request-latency',
        title: 'Consumer request latency',
        note: 'Of all requests, as the client measures it. Includes fetches that wait.',
        lines: averageAndMax('consumer.node.request.latency.avg', 'consumer.node.request.latency.max'),
      },
      {
        id: 'poll-idle-ratio',
        title: 'Poll idle ratio',
        note: 'Share of time that the consumer waits for records. Near 0, processing is the bottleneck.',
        lines: perInstance('consumer.poll.idle.ratio.avg'),
      },
      {
        id: 'commit-latency',
        title: 'Commit latency',
        note: 'Time to commit offsets.',
        lines: averageAndMax('consumer.coordinator.commit.latency.avg', 'consumer.coordinator.commit.latency.max'),
      },
      {
        id: 'rebalance-latency',
        title: 'Rebalance latency',
        note: 'Time to join the group and get partitions.',
        lines: averageAndMax(
          'consumer.coordinator.rebalance.latency.avg',
          'consumer.coordinator.rebalance.latency.max',
        ),
      },
      {
        id: 'assigned-partitions',
        title: 'Assigned partitions',
        note: 'Partitions per instance.',
        lines: perInstance('consumer.coordinator.assigned.partitions'),
      },
      {
        id: 'consumer-connections',
        title: 'Consumer connections',
        note: 'New connections per second and instance.',
        lines: perInstance('consumer.connection.creation.rate'),
      },
    ],
  },
];

/** Twice the interval that Kafka sets by default for pushes. Longer gaps mean that nobody pushed. */
const LONGEST_INTERVAL_MS = 10 * MINUTE_MS;

/** The lines of one chart, or null when clients pushed none of its metrics. */
export function clientChartInput(chart: ClientChart, answer: ClientSeries): TimeSeriesInput | null {
  const { startMs, stepMs, series } = answer;
  const parts = chart.lines.flatMap(({ metric, of, label }) => {
    const found = series.find((candidate) => candidate.metric === metric);
    return found === undefined ? [] : [{ unit: found.unit, label, values: found[of] }];
  });
  const [first] = parts;
  if (first === undefined) {
    return null;
  }
  const lines = parts.map(({ label, values }) => ({ key: label, label, values: heldBetweenPushes(values, stepMs) }));
  return { unit: first.unit, startMs, stepMs, lines };
}

/** Each value holds until the next push, because clients push less often than a step is long. */
export function heldBetweenPushes(values: readonly (number | null)[], stepMs: number): (number | null)[] {
  const held = [...values];
  let last: number | null = null;
  for (const [step, value] of values.entries()) {
    if (value === null) {
      continue;
    }
    if (last !== null && (step - last) * stepMs <= LONGEST_INTERVAL_MS) {
      held.fill(values[last] ?? null, last, step);
    }
    last = step;
  }
  return held;
}
