import type { InputSpec } from './spec.ts';
import { KAFKA_INPUTS, PENSTOCK_INPUTS, RIVAL_INPUTS, VIEW_INPUTS } from './systems.ts';
import { DEPLOYMENT_INPUTS, LATENCY_INPUTS, WORKLOAD_INPUTS } from './workload.ts';

export type { ChoiceInput, FlagInput, InputGroup, InputSpec, NumberInput } from './spec.ts';

const WORKLOAD = [...WORKLOAD_INPUTS] as const;
const ASSUMPTIONS = [
  ...DEPLOYMENT_INPUTS,
  ...LATENCY_INPUTS,
  ...PENSTOCK_INPUTS,
  ...KAFKA_INPUTS,
  ...RIVAL_INPUTS,
  ...VIEW_INPUTS,
] as const;

/** All inputs in the order of the page. */
export const INPUTS: readonly InputSpec[] = [...WORKLOAD, ...ASSUMPTIONS];
export const WORKLOAD_KEYS: readonly string[] = WORKLOAD.map((spec) => spec.key);

export const GROUP_LABELS = {
  workload: 'Your load',
  deployment: 'Cloud and billing',
  latency: 'Latency',
  penstock: 'Penstock and its agents',
  kafka: 'Brokers',
  rivals: 'Other systems',
  view: 'Comparison',
} as const;

/** Text of every input, by key. Numbers are plain decimals, flags are `true` or `false`. */
export type InputValues = Readonly<Record<string, string>>;

export const DEFAULT_INPUTS: InputValues = Object.fromEntries(INPUTS.map((spec) => [spec.key, spec.default]));

const BY_KEY = new Map(INPUTS.map((spec) => [spec.key, spec]));
const BY_SYMBOL = new Map(INPUTS.filter((spec) => spec.symbol !== '').map((spec) => [spec.symbol, spec]));

export function inputNamed(key: string): InputSpec | undefined {
  return BY_KEY.get(key);
}

/** The input of a formula's symbol, if it is one. */
export function inputOfSymbol(symbol: string): InputSpec | undefined {
  return BY_SYMBOL.get(symbol);
}
