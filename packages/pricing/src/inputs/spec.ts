// The specification of an input: its bounds, unit, default, and the default's source.

export type InputGroup = 'workload' | 'deployment' | 'latency' | 'penstock' | 'kafka' | 'rivals' | 'view';

interface Common {
  readonly key: string;
  /** Its name in formulas; choices have none. */
  readonly symbol: string;
  readonly group: InputGroup;
  readonly label: string;
  readonly help: string;
  /** The source of the default. */
  readonly source: string;
  readonly verified: boolean;
}

export type NumberInput = Common & {
  readonly kind: 'number';
  readonly unit: string;
  readonly default: string;
  readonly min: string;
  readonly max: string;
  readonly integer: boolean;
};
export type FlagInput = Common & { readonly kind: 'flag'; readonly default: 'true' | 'false' };
export type ChoiceInput = Common & {
  readonly kind: 'choice';
  readonly default: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
};
export type InputSpec = NumberInput | FlagInput | ChoiceInput;

interface NumberFacts {
  group: InputGroup;
  symbol: string;
  label: string;
  unit: string;
  help: string;
  source: string;
  min: string;
  max: string;
  integer?: true;
  unverified?: true;
}

export function number(key: string, value: string, facts: NumberFacts): NumberInput {
  const { unverified, integer, ...rest } = facts;
  return { kind: 'number', key, default: value, integer: integer === true, verified: unverified !== true, ...rest };
}

export function flag(key: string, value: 'true' | 'false', facts: Omit<Common, 'key' | 'verified'>): FlagInput {
  return { kind: 'flag', key, default: value, verified: true, ...facts };
}

export function choice(
  key: string,
  value: string,
  options: readonly (readonly [string, string])[],
  facts: Omit<Common, 'key' | 'verified' | 'symbol'>,
): ChoiceInput {
  return {
    kind: 'choice',
    key,
    symbol: '',
    default: value,
    options: options.map(([option, label]) => ({ value: option, label })),
    verified: true,
    ...facts,
  };
}
