import {
  BROKER_CORES,
  BROKER_LINE,
  BROKER_NETWORK,
  BROKERS,
  DISK_CELLS,
  DISK_LINES,
  KAFKA_CPU,
  KAFKA_LATENCY,
  PRODUCE_ACROSS,
  REPLICAS_CROSSING,
  REPLICATE_ACROSS,
} from './kafka-parts.ts';
import type { SystemSpec } from './types.ts';

export const APACHE_KAFKA_FOLLOWER: SystemSpec = {
  id: 'kafka-follower',
  name: 'Apache Kafka, fetch from follower',
  configuration:
    'Self-hosted across zones on current machines and gp3 disks, with rack-aware replicas. Consumers read from a replica in their own zone (KIP-392).',
  clouds: ['aws', 'gcp', 'azure'],
  machine: 'broker',
  cpu: KAFKA_CPU,
  cells: [BROKER_CORES, BROKER_NETWORK, ...DISK_CELLS, BROKERS, REPLICAS_CROSSING],
  lines: [BROKER_LINE, ...DISK_LINES, PRODUCE_ACROSS, REPLICATE_ACROSS],
  latency: KAFKA_LATENCY,
};
