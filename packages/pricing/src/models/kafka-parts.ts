// Parts shared by all systems of replicated brokers: sizing, disks, and traffic between zones.
import { formula } from './symbols.ts';
import type { CpuBasis, LatencySpec, LineSpec, ModelCell } from './types.ts';

export const KAFKA_CPU: CpuBasis = {
  kind: 'measured',
  note: 'Measured beside our agent on two shared cores: one broker on a local disk. Replication is added, not measured.',
  sizing: 'By a published rule: 5 MiB/s in and 15 MiB/s out per virtual CPU.',
};
export const BROKER_CORES: ModelCell = {
  symbol: 'cores',
  label: 'virtual CPUs that the peak needs',
  unit: 'vCPU',
  formula: formula(
    'peak × (basis_core_s × written_gib_s × (k_write + (rf − 1) × k_replica + fanout × k_read) ÷ cpu_target + basis_alike × wire_mib_s ÷ alike_mib + basis_sizing × max(wire_mib_s ÷ in_per_vcpu, wire_mib_s × fanout ÷ out_per_vcpu))',
  ),
};
export const BROKER_NETWORK: ModelCell = {
  symbol: 'network_mb_s',
  label:
    'network at the peak, the busier way: in, each record once per replica; out, each record to the followers and the readers',
  unit: 'MB/s',
  formula: formula('peak × wire ÷ 1000000 × max(rf, rf − 1 + fanout)'),
};
export const DISK_CELLS: readonly ModelCell[] = [
  {
    symbol: 'disk_gb',
    label: 'disk for all replicas, with free space',
    unit: 'GB',
    formula: formula('stored_gb × rf ÷ disk_target'),
  },
  {
    symbol: 'max_disk_gb',
    label: 'disk that one broker may have',
    unit: 'GB',
    formula: formula('max_disk_tib × 1099511627776 ÷ gb'),
    // The smallest disk that the input `maxDiskTib` accepts, rounded down.
    min: '100',
  },
];
export const BROKERS: ModelCell = {
  symbol: 'brokers',
  label: 'brokers: enough for CPU, network, disks and replicas, and at least three',
  unit: 'brokers',
  formula: formula(
    'max(min_brokers, rf, ceil(cores ÷ broker_vcpus), ceil(network_mb_s ÷ network_target ÷ broker_mb_s), ceil(disk_gb ÷ max_disk_gb), ceil(partitions × rf ÷ per_broker))',
  ),
};
export const REPLICAS_CROSSING: ModelCell = {
  symbol: 'replicas_crossing',
  label: 'copies of each record that go to another zone',
  unit: 'copies',
  formula: formula('rf − max(1, rf ÷ zones)'),
};

export const BROKER_LINE: LineSpec = {
  id: 'brokers',
  component: 'compute',
  label: 'Brokers',
  words: 'brokers, all hours of the month',
  quantity: formula('brokers × month_h'),
  price: 'own machine',
  basis: 'hour',
  floor: 'a cluster needs at least three brokers',
};
export const DISK_LINES: readonly LineSpec[] = [
  {
    id: 'disk',
    component: 'block storage',
    label: 'Disks',
    words: 'what is kept, times the replicas, with the free space of the utilization target',
    quantity: formula('disk_gb'),
    price: 'disk',
    basis: 'none',
    floor: null,
  },
  {
    id: 'disk-throughput',
    component: 'block storage',
    label: 'Disk throughput beyond what is included',
    words: 'written at the peak by all replicas, less what each disk includes',
    quantity: formula('max(0, wire × rf × peak ÷ 1000000 − brokers × disk_included)'),
    price: 'disk throughput',
    basis: 'none',
    floor: null,
  },
];
export const PRODUCE_ACROSS: LineSpec = {
  id: 'produce-across-zones',
  component: 'inter-zone network',
  label: 'Producers to leaders in other zones',
  words: 'written, times the share of leaders that are in another zone',
  quantity: formula('wire_zone × cross'),
  price: 'zone transfer',
  basis: 'second',
  floor: null,
};
export const REPLICATE_ACROSS: LineSpec = {
  id: 'replicate-across-zones',
  component: 'inter-zone network',
  label: 'Leaders to followers in other zones',
  words: 'written, times the copies that go to another zone',
  quantity: formula('wire_zone × replicas_crossing'),
  price: 'zone transfer',
  basis: 'second',
  floor: null,
};
export const CONSUME_ACROSS: LineSpec = {
  id: 'consume-across-zones',
  component: 'inter-zone network',
  label: 'Leaders to consumers in other zones',
  words: 'written, times the readers, times the share in another zone; nothing with fetch-from-follower',
  quantity: formula('wire_zone × fanout × cross × (1 − follow)'),
  price: 'zone transfer',
  basis: 'second',
  floor: null,
};

export const KAFKA_LATENCY: LatencySpec = {
  produceP50: null,
  produceP99: null,
  endToEndP50: formula('2.41'),
  endToEndP99: formula('27'),
  basis: 'published',
  note: 'Mean and p99 of one broker with 64 KB batches, 310 MB/s and 100 partitions (AutoMQ’s append benchmark). It publishes no p50 and no produce latency.',
};
