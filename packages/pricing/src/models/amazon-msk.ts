import {
  BROKER_CORES,
  BROKER_NETWORK,
  CONSUME_ACROSS,
  DISK_CELLS,
  KAFKA_CPU,
  KAFKA_LATENCY,
  PRODUCE_ACROSS,
} from './kafka-parts.ts';
import { formula } from './symbols.ts';
import type { SystemSpec } from './types.ts';

export const AMAZON_MSK: SystemSpec = {
  id: 'msk',
  name: 'Amazon MSK',
  configuration:
    'Provisioned M7g brokers of the cheapest size for the load, the same number in every zone, with consumers fetching from followers. Traffic between brokers is free, but client traffic between zones is charged. MSK brokers have no one-year price.',
  clouds: ['aws'],
  machine: 'msk',
  cpu: KAFKA_CPU,
  cells: [
    BROKER_CORES,
    BROKER_NETWORK,
    ...DISK_CELLS,
    {
      symbol: 'brokers',
      label: 'brokers: enough for CPU, network, disks and replicas, the same number in every zone',
      unit: 'brokers',
      formula: formula(
        'zones × ceil(max(min_brokers, rf, ceil(cores ÷ msk_vcpus), ceil(network_mb_s ÷ network_target ÷ msk_mb_s), ceil(disk_gb ÷ max_disk_gb), ceil(partitions × rf ÷ msk_per_broker)) ÷ zones)',
      ),
    },
  ],
  lines: [
    {
      id: 'brokers',
      component: 'vendor fee',
      label: 'MSK brokers',
      words: 'brokers, all hours of the month',
      quantity: formula('brokers × month_h'),
      price: 'own machine',
      basis: 'hour',
      floor: 'a cluster needs at least three brokers',
    },
    {
      id: 'disk',
      component: 'block storage',
      label: 'Broker storage',
      words: 'what is kept, times the replicas, with the free space of the utilization target',
      quantity: formula('disk_gb'),
      price: 'item:msk.storage',
      basis: 'none',
      floor: null,
    },
    PRODUCE_ACROSS,
    CONSUME_ACROSS,
  ],
  latency: { ...KAFKA_LATENCY, note: `${KAFKA_LATENCY.note} MSK publishes no latency figures.` },
};
