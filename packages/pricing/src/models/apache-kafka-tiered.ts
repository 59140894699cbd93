import {
  BROKER_CORES,
  BROKER_LINE,
  BROKER_NETWORK,
  BROKERS,
  CONSUME_ACROSS,
  DISK_CELLS,
  DISK_LINES,
  KAFKA_CPU,
  KAFKA_LATENCY,
  PRODUCE_ACROSS,
  REPLICAS_CROSSING,
  REPLICATE_ACROSS,
} from './kafka-parts.ts';
import { OBJECT_STORAGE } from './object-parts.ts';
import { formula } from './symbols.ts';
import { TIER_PUT_LINE, TIER_PUTS } from './tier-parts.ts';
import type { SystemSpec } from './types.ts';

export const APACHE_KAFKA_TIERED: SystemSpec = {
  id: 'kafka-tiered',
  name: 'Apache Kafka, tiered storage',
  configuration:
    'Self-hosted across zones with KIP-405. The last hour is on replicated disks and the rest in object storage. Consumers read the tail. GETs for replays are not included.',
  clouds: ['aws', 'gcp', 'azure'],
  machine: 'broker',
  cpu: KAFKA_CPU,
  cells: [
    BROKER_CORES,
    BROKER_NETWORK,
    {
      symbol: 'local_d',
      label: 'kept on disk: the local hours, or the whole retention if that is shorter',
      unit: 'days',
      formula: formula('min(local_h ÷ 24, retention_d)'),
    },
    {
      symbol: 'disk_gb',
      label: 'disk for all replicas, with free space',
      unit: 'GB',
      formula: formula('wire × local_d × 86400 ÷ gb × rf ÷ disk_target'),
    },
    ...DISK_CELLS.filter((cell) => cell.symbol === 'max_disk_gb'),
    BROKERS,
    REPLICAS_CROSSING,
    TIER_PUTS,
  ],
  lines: [BROKER_LINE, ...DISK_LINES, OBJECT_STORAGE, TIER_PUT_LINE, PRODUCE_ACROSS, REPLICATE_ACROSS, CONSUME_ACROSS],
  latency: KAFKA_LATENCY,
};
