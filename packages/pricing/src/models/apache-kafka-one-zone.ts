import {
  BROKER_CORES,
  BROKER_LINE,
  BROKER_NETWORK,
  BROKERS,
  DISK_CELLS,
  DISK_LINES,
  KAFKA_CPU,
  KAFKA_LATENCY,
} from './kafka-parts.ts';
import type { SystemSpec } from './types.ts';

export const APACHE_KAFKA_ONE_ZONE: SystemSpec = {
  id: 'kafka-one-zone',
  name: 'Apache Kafka, one zone',
  configuration:
    'Self-hosted with brokers, replicas, producers and consumers in a single zone. There is no traffic between zones, and no service while that zone is down.',
  clouds: ['aws', 'gcp', 'azure'],
  machine: 'broker',
  cpu: KAFKA_CPU,
  cells: [BROKER_CORES, BROKER_NETWORK, ...DISK_CELLS, BROKERS],
  lines: [BROKER_LINE, ...DISK_LINES],
  latency: KAFKA_LATENCY,
};
