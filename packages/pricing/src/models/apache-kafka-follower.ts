import {
  BROKER_CORES,
  BROKER_LINE,
  BROKERS,
  DISK_CELLS,
  DISK_LINES,
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
    'Self-hosted over the zones on current machines and gp3 disks, rack-aware replicas, every consumer reading from a replica of its own zone (KIP-392).',
  clouds: ['aws', 'gcp', 'azure'],
  cells: [BROKER_CORES, ...DISK_CELLS, BROKERS, REPLICAS_CROSSING],
  lines: [BROKER_LINE, ...DISK_LINES, PRODUCE_ACROSS, REPLICATE_ACROSS],
  latency: KAFKA_LATENCY,
};
