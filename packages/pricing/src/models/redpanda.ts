import { BROKER_NETWORK, CONSUME_ACROSS, PRODUCE_ACROSS, REPLICAS_CROSSING, REPLICATE_ACROSS } from './kafka-parts.ts';
import { formula } from './symbols.ts';
import type { ModelCell, SystemSpec } from './types.ts';

export const NODE_CORES: ModelCell = {
  symbol: 'cores',
  label: 'virtual CPUs that the peak needs',
  unit: 'vCPU',
  formula: formula(
    'peak × ((basis_core_s ÷ cpu_target + basis_sizing) × wire_mib_s ÷ rp_in_per_vcpu + basis_alike × wire_mib_s ÷ alike_mib)',
  ),
};

export const REDPANDA: SystemSpec = {
  id: 'redpanda',
  name: 'Redpanda',
  configuration:
    'Self-hosted Community Edition on the cheapest machines with local NVMe for the load, with follower fetching on. Tiered storage needs a license whose price isn’t public, so all data is on NVMe, three times: retention decides the number of nodes. The next row has tiered storage.',
  clouds: ['aws'],
  machine: 'node',
  cpu: {
    kind: 'published',
    note: 'Not measured by us: 850 MiB/s on 72 virtual CPUs (Vanlightly, 2023), with the same headroom as every system.',
    sizing: 'At the limit that was published: 850 MiB/s on 72 virtual CPUs (Vanlightly, 2023).',
  },
  cells: [
    NODE_CORES,
    BROKER_NETWORK,
    {
      symbol: 'nodes',
      label: 'nodes: enough for CPU, network, local disks and replicas, and at least three',
      unit: 'nodes',
      formula: formula(
        'max(min_brokers, rf, ceil(cores ÷ node_vcpus), ceil(network_mb_s ÷ network_target ÷ node_mb_s), ceil(wire × retention_s × rf ÷ disk_target ÷ node_disk_gb ÷ 1000000000), ceil(partitions × rf ÷ per_broker))',
      ),
    },
    REPLICAS_CROSSING,
  ],
  lines: [
    {
      id: 'nodes',
      component: 'compute',
      label: 'Nodes with NVMe',
      words: 'nodes, all hours of the month; their disks are included',
      quantity: formula('nodes × month_h'),
      price: 'own machine',
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
