// Costs of Penstock on either storage class.

import { AGENTS_FOR_NETWORK, agentCores, agentNetwork } from './object-parts.ts';
import { formula } from './symbols.ts';
import type { CpuBasis, LineSpec, ModelCell, PlansSpec, PriceRole } from './types.ts';

const PENSTOCK_AGENTS: ModelCell = {
  symbol: 'agents',
  label: 'agents: enough for the CPU and network of the peak, one per zone, at least two',
  unit: 'agents',
  formula: formula(`max(min_agents, zones, ceil(cores ÷ agent_vcpus), ${AGENTS_FOR_NETWORK})`),
};
export const AGENT_CELLS: readonly ModelCell[] = [
  agentCores(
    'virtual CPUs that the peak needs: to write, to read, and to merge what is stored',
    formula('written_gib_s × (write_cpu + read_cpu × fanout) + wire_gib_s × merge_cpu'),
  ),
  agentNetwork(' + rewrites'),
  PENSTOCK_AGENTS,
];
export const PENSTOCK_CPU: CpuBasis = {
  kind: 'measured',
  note: 'Measured on two shared cores, merging included, on an S3 server over TLS. Not yet measured on EC2.',
};
/** The limits of the dev cluster are those of the price book. */
export const PENSTOCK_PLANS: PlansSpec = {
  input: 'penstockCluster',
  dependsOn: ['penstockCluster'],
  plans: [
    {
      id: 'dev',
      fee: 'penstock.cluster-dev',
      takes: {
        limits: [
          { exceeds: formula('written ÷ 1048576'), most: formula('dev_mib_s') },
          { exceeds: formula('partitions'), most: formula('dev_partitions') },
        ],
        refusal: ([rate, partitions]) =>
          `A dev cluster supports up to ${rate} MiB/s and ${partitions} partitions. Choose a standard cluster.`,
      },
    },
    { id: 'standard', fee: 'penstock.cluster' },
  ],
};
export const COMPACTION_CELLS: readonly ModelCell[] = [
  {
    symbol: 'compaction_put_s',
    label: 'PUTs for merging',
    unit: 'PUT/s',
    formula: formula('wire_gib_s × compaction_put'),
  },
  {
    symbol: 'long_runs_get_s',
    label: 'GETs for the second level of merging: a part of each file of a window for each job',
    unit: 'GET/s',
    formula: formula('wire_gib_s × compaction_get'),
  },
];
/** Metadata between the agents and our service, which is outside of the customer's network. */
export const CONTROL_PLANE_CELLS: readonly ModelCell[] = [
  {
    symbol: 'control_out_s',
    label: 'metadata to our service: the runs of each file, at most one per partition and none below one record',
    unit: 'bytes/s',
    formula: formula('min(put_s × partitions, wire ÷ record_bytes) × run_bytes'),
  },
  {
    symbol: 'control_in_s',
    label: 'metadata from our service: each run once per zone that reads',
    unit: 'bytes/s',
    formula: formula('control_out_s × zones × min(1, fanout)'),
  },
];
export const CONTROL_PLANE_LINES: readonly LineSpec[] = [
  {
    id: 'nat-hours',
    component: 'internet and NAT',
    label: 'NAT gateways to our metadata service',
    words: 'one per zone, all hours of the month',
    quantity: formula('nat × zones × month_h'),
    price: 'nat hour',
    basis: 'hour',
    floor: 'agents in private subnets need a way out',
  },
  {
    id: 'nat-data',
    component: 'internet and NAT',
    label: 'Metadata through NAT gateways',
    words: 'metadata to and from our service, all seconds of the month',
    quantity: formula('nat × (control_out_s + control_in_s) × month_s ÷ gb'),
    price: 'nat data',
    basis: 'second',
    floor: null,
  },
  {
    id: 'egress',
    component: 'internet and NAT',
    label: 'Metadata to the internet',
    words: 'metadata to our service, all seconds of the month',
    quantity: formula('control_out_s × month_s ÷ gb'),
    price: 'egress',
    basis: 'second',
    floor: null,
  },
];
/** Merged files that wait for the restore window, on S3 Standard. @param rewrites the levels of merging that read from it */
export function restoreWindow(rewrites: 'rewrites' | 'max(0, rewrites − 1)'): LineSpec {
  return {
    id: 'restore-window',
    component: 'object storage',
    label: 'Object storage for the restore window',
    words: 'what is written in the window, after compression, once for each time that merging rewrites it',
    quantity: formula(`wire × restore_window_h × 3600 ÷ gb × ${rewrites}`),
    price: 'object storage',
    basis: 'none',
    floor: null,
  };
}
export const PENSTOCK_WRITES: LineSpec = {
  id: 'fee-writes',
  component: 'vendor fee',
  label: 'Writes',
  words: 'uncompressed GiB written',
  quantity: formula('written_gib'),
  price: 'item:penstock.write',
  basis: 'second',
  floor: null,
};

/** The fee for minutes with a live agent: in an estimate, the whole month. */
export function clusterMinutes(label: string, price: PriceRole): LineSpec {
  return {
    id: 'fee-cluster',
    component: 'vendor fee',
    label,
    words: 'minutes in the month',
    quantity: formula('month_h × 60'),
    price,
    basis: 'hour',
    floor: 'each minute in which at least one agent of the cluster was alive is billed',
  };
}
