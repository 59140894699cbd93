// Costs of WarpStream on either storage class.

import { AGENTS_FOR_NETWORK, agentCores, agentNetwork } from './object-parts.ts';
import { formula } from './symbols.ts';
import type { CpuBasis, LineSpec, ModelCell, PlanSpec, PlansSpec } from './types.ts';

export const WARPSTREAM_CPU: CpuBasis = {
  kind: 'published',
  note: 'Not measured by us: about 5 busy cores on each of 6 machines at 1 GiB/s in and out (WarpStream, 2024).',
};
export const WARPSTREAM_CELLS: readonly ModelCell[] = [
  agentCores('virtual CPUs that the peak needs', formula('written_gib_s × (warp_write_cpu + warp_read_cpu × fanout)')),
  agentNetwork(''),
  {
    symbol: 'agents',
    label: 'agents: enough for the CPU and network of the peak, one per zone, at least two',
    unit: 'agents',
    formula: formula(`max(min_agents, zones, ceil(cores ÷ agent_vcpus), ${AGENTS_FOR_NETWORK})`),
  },
  {
    symbol: 'stored_gib',
    label: 'kept, before compression',
    unit: 'GiB',
    formula: formula('written_gib_s × retention_s'),
  },
];

function plan(id: string, fee: string, partitions: '4096' | '16384' | '50000'): PlanSpec {
  return {
    id,
    fee,
    takes: {
      limits: [{ exceeds: formula('partitions'), most: formula(partitions) }],
      refusal: ([most]) => `This plan supports up to ${most} partitions. Larger clusters are priced on request.`,
    },
  };
}

/** Dev has no support and no SLA, as our dev cluster: it compares with nothing else. */
export const WARPSTREAM_PLANS: PlansSpec = {
  input: 'warpstreamPlan',
  dependsOn: ['warpstreamPlan', 'penstockCluster', 'partitions'],
  plans: [
    { ...plan('dev', 'warpstream.cluster-dev', '4096'), comparesWhile: { input: 'penstockCluster', value: 'dev' } },
    plan('fundamentals', 'warpstream.cluster', '16384'),
    plan('pro', 'warpstream.cluster-pro', '50000'),
  ],
};

export const WARPSTREAM_FEES: readonly LineSpec[] = [
  {
    id: 'fee-cluster',
    component: 'vendor fee',
    label: 'Cluster fee',
    words: 'quarters of an hour in the month',
    quantity: formula('month_h × 4'),
    price: 'own plan',
    basis: 'hour',
    floor: 'the cluster is billed while it exists',
  },
  {
    id: 'fee-writes',
    component: 'vendor fee',
    label: 'Writes',
    words: 'uncompressed GiB written',
    quantity: formula('written_gib'),
    price: 'item:warpstream.write',
    basis: 'second',
    floor: null,
  },
  {
    id: 'fee-storage',
    component: 'vendor fee',
    label: 'Storage fee',
    words: 'uncompressed GiB kept',
    quantity: formula('stored_gib'),
    price: 'item:warpstream.storage',
    basis: 'none',
    floor: null,
  },
];
