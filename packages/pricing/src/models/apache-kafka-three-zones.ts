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
import { formula } from './symbols.ts';
import type { SystemSpec } from './types.ts';

export const APACHE_KAFKA_THREE_ZONES: SystemSpec = {
  id: 'kafka',
  name: 'Apache Kafka',
  configuration:
    'Self-hosted across zones, with consumers reading from leaders in any zone. This is Kafka’s default. For how experts run Kafka, see the next row.',
  clouds: ['aws', 'gcp', 'azure'],
  machine: 'broker',
  cpu: KAFKA_CPU,
  cells: [BROKER_CORES, BROKER_NETWORK, ...DISK_CELLS, BROKERS, REPLICAS_CROSSING],
  lines: [
    BROKER_LINE,
    ...DISK_LINES,
    PRODUCE_ACROSS,
    REPLICATE_ACROSS,
    {
      id: 'consume-across-zones',
      component: 'inter-zone network',
      label: 'Leaders to consumers in other zones',
      words: 'written, times the readers, times the share in another zone',
      quantity: formula('wire_zone × fanout × cross'),
      price: 'zone transfer',
      basis: 'second',
      floor: null,
    },
  ],
  latency: KAFKA_LATENCY,
};
