import { OBJECT_STORAGE, requestLine } from './object-parts.ts';
import { formula } from './symbols.ts';
import type { SystemSpec } from './types.ts';

export const AUTOMQ: SystemSpec = {
  id: 'automq',
  name: 'Elastic Stream / AutoMQ',
  configuration:
    'Open source and self-hosted. The log is on S3 and producers are routed within their zone, so nothing is replicated between zones. Request rates are the vendor’s. No license fee is included.',
  clouds: ['aws', 'gcp', 'azure'],
  machine: 'broker',
  cpu: {
    kind: 'assumed',
    note: 'Taken to be Apache Kafka’s, measured on two shared cores, without replication: AutoMQ shares its code for requests.',
    sizing: 'By a rule published for Apache Kafka: 5 MiB/s in and 15 MiB/s out per virtual CPU.',
  },
  cells: [
    {
      symbol: 'cores',
      label: 'virtual CPUs that the peak needs: as Apache Kafka without replication',
      unit: 'vCPU',
      formula: formula(
        'peak × (basis_core_s × written_gib_s × (k_write + fanout × k_read) ÷ cpu_target + basis_alike × wire_mib_s ÷ alike_mib + basis_sizing × max(wire_mib_s ÷ in_per_vcpu, wire_mib_s × fanout ÷ out_per_vcpu))',
      ),
    },
    {
      symbol: 'network_mb_s',
      label: 'network at the peak, the busier way: in, from producers; out, to object storage and the readers',
      unit: 'MB/s',
      formula: formula('peak × wire ÷ 1000000 × (1 + fanout)'),
    },
    {
      symbol: 'brokers',
      label: 'brokers: enough for the CPU and network of the peak, one per zone, at least three',
      unit: 'brokers',
      formula: formula(
        'max(min_brokers, zones, ceil(cores ÷ broker_vcpus), ceil(network_mb_s ÷ network_target ÷ broker_mb_s))',
      ),
    },
    { symbol: 'put_s', label: 'PUTs', unit: 'PUT/s', formula: formula('wire_gib_s × automq_put') },
    { symbol: 'get_s', label: 'GETs', unit: 'GET/s', formula: formula('wire_gib_s × automq_get × max(1, fanout)') },
  ],
  lines: [
    {
      id: 'brokers',
      component: 'compute',
      label: 'Brokers',
      words: 'brokers, all hours of the month',
      quantity: formula('brokers × month_h'),
      price: 'own machine',
      basis: 'hour',
      floor: 'a cluster needs at least three brokers',
    },
    OBJECT_STORAGE,
    requestLine('put', 'PUTs', 'PUTs per second, all seconds of the month, in thousands', 'put_s', 'put'),
    requestLine('get', 'GETs', 'GETs per second, all seconds of the month, in thousands', 'get_s', 'get'),
  ],
  latency: {
    produceP50: null,
    produceP99: null,
    endToEndP50: null,
    endToEndP99: null,
    basis: 'published',
    note: 'The published 0.9 ms (mean) and 2.0 ms (p99) are appends of a single Elastic Stream node to local disks, not of AutoMQ on S3.',
  },
};
