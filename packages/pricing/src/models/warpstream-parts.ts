// Costs of WarpStream on either storage class.
import type { CellSpec } from '../worksheet/index.ts';
import { AGENTS_FOR_NETWORK, agentCores, agentNetwork } from './object-parts.ts';
import type { CpuBasis, LineSpec } from './types.ts';

export const WARPSTREAM_CPU: CpuBasis = {
  kind: 'published',
  note: 'Not measured by us: about 5 busy cores on each of 6 machines at 1 GiB/s in and out (WarpStream, 2024).',
};
export const WARPSTREAM_CELLS: readonly CellSpec[] = [
  agentCores('virtual CPUs that the peak needs', 'written_gib_s × (warp_write_cpu + warp_read_cpu × fanout)'),
  agentNetwork(''),
  {
    symbol: 'agents',
    label: 'agents: enough for the CPU and network of the peak, one per zone, at least two',
    unit: 'agents',
    formula: `max(min_agents, zones, ceil(cores ÷ agent_vcpus), ${AGENTS_FOR_NETWORK})`,
  },
  { symbol: 'stored_gib', label: 'kept, before compression', unit: 'GiB', formula: 'written_gib_s × retention_s' },
];

export const WARPSTREAM_FEES: readonly LineSpec[] = [
  {
    id: 'fee-cluster',
    component: 'vendor fee',
    label: 'Cluster fee',
    words: 'quarters of an hour in the month',
    quantity: 'month_h × 4',
    price: 'warpstream cluster',
    basis: 'hour',
    floor: 'the cluster is billed while it exists',
  },
  {
    id: 'fee-writes',
    component: 'vendor fee',
    label: 'Writes',
    words: 'uncompressed GiB written',
    quantity: 'written_gib',
    price: 'item:warpstream.write',
    basis: 'second',
    floor: null,
  },
  {
    id: 'fee-storage',
    component: 'vendor fee',
    label: 'Storage fee',
    words: 'uncompressed GiB kept',
    quantity: 'stored_gib',
    price: 'item:warpstream.storage',
    basis: 'none',
    floor: null,
  },
];
