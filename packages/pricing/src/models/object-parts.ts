// Parts shared by all systems on object storage.
import type { LineSpec } from './types.ts';

export const OBJECT_STORAGE: LineSpec = {
  id: 'object-storage',
  component: 'object storage',
  label: 'Object storage',
  words: 'what is kept, after compression, one copy',
  quantity: 'stored_gb',
  price: 'object storage',
  basis: 'none',
  floor: null,
};
export const AGENT_LINE: LineSpec = {
  id: 'agents',
  component: 'compute',
  label: 'Agents',
  words: 'agents, all hours of the month',
  quantity: 'agents × month_h',
  price: 'agent machine',
  basis: 'hour',
  floor: 'one agent per zone, and at least two',
};

/** Requests per month in thousands, from a cell with requests per second. */
export function requestLine(
  id: string,
  label: string,
  words: string,
  perSecond: string,
  price: LineSpec['price'],
): LineSpec {
  return {
    id,
    component: 'requests',
    label,
    words,
    quantity: `${perSecond} × month_s ÷ 1000`,
    price,
    basis: 'second',
    floor: null,
  };
}
