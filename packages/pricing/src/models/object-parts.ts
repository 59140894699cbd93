// Parts shared by all systems on object storage.
import { type CellSymbol, formula, type ModelFormula } from './symbols.ts';
import type { LineSpec, ModelCell } from './types.ts';

export const OBJECT_STORAGE: LineSpec = {
  id: 'object-storage',
  component: 'object storage',
  label: 'Object storage',
  words: 'what is kept, after compression, one copy, with what is not yet deleted',
  quantity: formula('stored_gb × stored_overhead'),
  price: 'object storage',
  basis: 'none',
  floor: null,
};
export const AGENT_LINE: LineSpec = {
  id: 'agents',
  component: 'compute',
  label: 'Agents',
  words: 'agents, all hours of the month',
  quantity: formula('agents × month_h'),
  price: 'own machine',
  basis: 'hour',
  floor: 'one agent per zone, and at least two',
};

/**
 * The network of agents that write one object for all and let each zone fetch it once. In: producers, the fetch of each zone but the one that
 * wrote the object, which still has it in memory, and what agents of a zone read from each other, at most once per reader. Out: object
 * storage, the readers, and what the agents give each other.
 */
export function agentNetwork(rewrites: '' | ' + rewrites'): ModelCell {
  return {
    symbol: 'network_mb_s',
    label:
      'network at the peak, the busier way: records and files in and out, each file once per zone that reads and did not write it, with what agents of a zone exchange',
    unit: 'MB/s',
    formula: formula(
      `peak × wire ÷ 1000000 × (1 + max((zones − 1) × min(1, fanout) + fanout, fanout + fanout)${rewrites})`,
    ),
  };
}

/** The CPU of agents, given the core-seconds per second of the load. */
export function agentCores(label: string, coreSeconds: ModelFormula): ModelCell {
  return {
    symbol: 'cores',
    label,
    unit: 'vCPU',
    formula: formula(
      `peak × ((basis_core_s + basis_sizing) × (${coreSeconds}) ÷ cpu_target + basis_alike × wire_mib_s ÷ alike_mib)`,
    ),
  };
}

/** How many agents the network needs. */
export const AGENTS_FOR_NETWORK = 'ceil(network_mb_s ÷ network_target ÷ agent_mb_s)';

/** Requests per month in thousands, from a cell with requests per second. */
export function requestLine(
  id: string,
  label: string,
  words: string,
  perSecond: CellSymbol | 'put_s × copies',
  price: LineSpec['price'],
): LineSpec {
  return {
    id,
    component: 'requests',
    label,
    words,
    quantity: formula(`${perSecond} × month_s ÷ 1000`),
    price,
    basis: 'second',
    floor: null,
  };
}
