import type { ModelInput } from './keys.ts';
import { RIVAL_INPUT } from './rival.ts';
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
  RIVAL_INPUT,
] as const;

/** The name of an input in links, requests and code. */
export type InputKey = ModelInput | (typeof RIVAL_INPUT)['key'];

/** All inputs in the order of the page. */
export const INPUTS: readonly InputSpec<InputKey>[] = [...WORKLOAD, ...ASSUMPTIONS];
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
export type InputValues = Readonly<Record<InputKey, string>>;

// INPUTS has every key once.
export const DEFAULT_INPUTS = Object.fromEntries(INPUTS.map((spec) => [spec.key, spec.default])) as InputValues;

const BY_KEY: ReadonlyMap<string, InputSpec<InputKey>> = new Map(INPUTS.map((spec) => [spec.key, spec]));
const BY_SYMBOL = new Map(INPUTS.filter((spec) => spec.symbol !== '').map((spec) => [spec.symbol, spec]));

/** The input of a name from a link or a request, if it is one. */
export function inputNamed(key: string): InputSpec<InputKey> | undefined {
  return BY_KEY.get(key);
}

export function specOf(key: InputKey): InputSpec<InputKey> {
  const spec = BY_KEY.get(key);
  if (spec === undefined) {
    throw new Error(`no input named "${key}"`);
  }
  return spec;
}

/** The input of a formula's symbol, if it is one. */
export function inputOfSymbol(symbol: string): InputSpec<InputKey> | undefined {
  return BY_SYMBOL.get(symbol);
}
