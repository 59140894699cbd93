import { BROKER_NETWORK } from './kafka-parts.ts';
import { OBJECT_STORAGE } from './object-parts.ts';
import { NODE_CORES, REDPANDA } from './redpanda.ts';
import { formula } from './symbols.ts';
import { TIER_PUT_LINE, TIER_PUTS } from './tier-parts.ts';
import type { SystemSpec } from './types.ts';

/** Redpanda as its experts run it with long retention. A lower bound: the license fee is not public. */
export const REDPANDA_TIERED: SystemSpec = {
  ...REDPANDA,
  id: 'redpanda-tiered',
  name: 'Redpanda, tiered storage (license not included)',
  configuration:
    'Self-hosted Enterprise Edition: the last hour on local NVMe, the rest in object storage. The price of the license isn’t public, so this total is what the infrastructure costs. GETs for replays are not included.',
  cells: [
    NODE_CORES,
    BROKER_NETWORK,
    {
      symbol: 'nodes',
      label: 'nodes: enough for CPU, network, the data on local disks and replicas, and at least three',
      unit: 'nodes',
      formula: formula(
        'max(min_brokers, rf, ceil(cores ÷ node_vcpus), ceil(network_mb_s ÷ network_target ÷ node_mb_s), ceil(wire × min(local_h × 3600, retention_s) × rf ÷ disk_target ÷ node_disk_gb ÷ 1000000000), ceil(partitions × rf ÷ per_broker))',
      ),
    },
    ...REDPANDA.cells.filter((cell) => cell.symbol === 'replicas_crossing'),
    TIER_PUTS,
  ],
  lines: [...REDPANDA.lines, OBJECT_STORAGE, TIER_PUT_LINE],
};
