import { CONSUME_ACROSS, PRODUCE_ACROSS, REPLICAS_CROSSING, REPLICATE_ACROSS } from './kafka-parts.ts';
import type { SystemSpec } from './types.ts';

export const REDPANDA: SystemSpec = {
  id: 'redpanda',
  name: 'Redpanda',
  configuration:
    'Self-hosted Community Edition on i3en.xlarge with local NVMe, as Redpanda recommends, with follower fetching on. Tiered storage needs a license whose price isn’t public, so all data is on NVMe. With long retention, experts would buy that license.',
  clouds: ['aws'],
  cells: [
    {
      symbol: 'nodes',
      label: 'nodes: enough for CPU, local disks and replicas, and at least three',
      unit: 'nodes',
      formula:
        'max(3, rf, ceil(peak × wire_mib_s ÷ rp_in_per_vcpu ÷ 4), ceil(wire × retention_s × rf ÷ disk_target ÷ rp_disk_gb ÷ 1000000000), ceil(partitions × rf ÷ per_broker))',
    },
    REPLICAS_CROSSING,
  ],
  lines: [
    {
      id: 'nodes',
      component: 'compute',
      label: 'Nodes with NVMe',
      words: 'nodes, all hours of the month; their disks are included',
      quantity: 'nodes × month_h',
      price: 'machine:i3en.xlarge',
      basis: 'hour',
      floor: 'a cluster needs at least three nodes',
    },
    PRODUCE_ACROSS,
    REPLICATE_ACROSS,
    CONSUME_ACROSS,
  ],
  latency: {
    produceP50: null,
    produceP99: null,
    endToEndP50: null,
    endToEndP99: null,
    basis: 'published',
    note: 'Published figures range from a few milliseconds (4 producers) to 24 s (50 producers with TLS), so we show no single number. See the benchmarks.',
  },
};
