// The metrics that are kept of what Kafka clients push (KIP-714): by their names, without `org.apache.kafka.`.
import type { Unit } from '../series/metrics.ts';

interface ClientMetricFacts {
  /** The number of ClientMetric in the agents' RPC and in stored samples. */
  number: number;
  unit: Unit;
}

export const clientMetrics = {
  'producer.record.send.rate': { number: 1, unit: '1/s' },
  'producer.record.error.rate': { number: 2, unit: '1/s' },
  'producer.record.retry.rate': { number: 3, unit: '1/s' },
  'producer.outgoing.byte.rate': { number: 4, unit: 'B/s' },
  'producer.record.queue.time.avg': { number: 5, unit: 'ms' },
  'producer.record.queue.time.max': { number: 6, unit: 'ms' },
  'producer.node.request.latency.avg': { number: 7, unit: 'ms' },
  'producer.node.request.latency.max': { number: 8, unit: 'ms' },
  'producer.produce.throttle.time.avg': { number: 9, unit: 'ms' },
  'producer.produce.throttle.time.max': { number: 10, unit: 'ms' },
  'producer.connection.creation.rate': { number: 11, unit: '1/s' },
  'consumer.fetch.manager.fetch.latency.avg': { number: 12, unit: 'ms' },
  'consumer.fetch.manager.fetch.latency.max': { number: 13, unit: 'ms' },
  'consumer.fetch.manager.records.consumed.rate': { number: 14, unit: '1/s' },
  'consumer.fetch.manager.bytes.consumed.rate': { number: 15, unit: 'B/s' },
  'consumer.fetch.manager.records.lag.max': { number: 16, unit: 'count' },
  'consumer.node.request.latency.avg': { number: 17, unit: 'ms' },
  'consumer.node.request.latency.max': { number: 18, unit: 'ms' },
  'consumer.poll.idle.ratio.avg': { number: 19, unit: 'ratio' },
  'consumer.coordinator.commit.latency.avg': { number: 20, unit: 'ms' },
  'consumer.coordinator.commit.latency.max': { number: 21, unit: 'ms' },
  'consumer.coordinator.rebalance.latency.avg': { number: 22, unit: 'ms' },
  'consumer.coordinator.rebalance.latency.max': { number: 23, unit: 'ms' },
  'consumer.coordinator.assigned.partitions': { number: 24, unit: 'count' },
  'consumer.connection.creation.rate': { number: 25, unit: '1/s' },
} as const satisfies Readonly<Record<string, ClientMetricFacts>>;
export type ClientMetricName = keyof typeof clientMetrics;

/** All names, in the order of their numbers. */
export const clientMetricNames = Object.keys(clientMetrics) as ClientMetricName[];

const nameByNumber = new Map(clientMetricNames.map((name) => [clientMetrics[name].number as number, name]));

/** The metric of this number; undefined: an agent of a later version knows it. */
export function clientMetricOf(number: number): ClientMetricName | undefined {
  return nameByNumber.get(number);
}
