// The specification of an input: its bounds, unit, default, and the default's source.

export type InputGroup = 'workload' | 'deployment' | 'latency' | 'penstock' | 'kafka' | 'rivals' | 'view';

interface Common<Key extends string, Symbol extends string> {
  readonly key: Key;
  /** Its name in formulas; choices have none. */
  readonly symbol: Symbol;
  readonly group: InputGroup;
  readonly label: string;
  readonly help: string;
  /** The source of the default. */
  readonly source: string;
  readonly verified: boolean;
}

export type NumberInput<Key extends string = string, Symbol extends string = string> = Common<Key, Symbol> & {
  readonly kind: 'number';
  readonly unit: string;
  readonly default: string;
  readonly min: string;
  readonly max: string;
  readonly integer: boolean;
};
export type FlagInput<Key extends string = string, Symbol extends string = string> = Common<Key, Symbol> & {
  readonly kind: 'flag';
  readonly default: 'true' | 'false';
};
export type ChoiceInput<Key extends string = string> = Common<Key, ''> & {
  readonly kind: 'choice';
  readonly default: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
};
export type InputSpec<Key extends string = string> = NumberInput<Key> | FlagInput<Key> | ChoiceInput<Key>;

/** The facts that a helper below gets about an input, besides its key. */
type Facts<Symbol extends string> = Omit<Common<string, Symbol>, 'key' | 'verified'>;

interface NumberFacts<Symbol extends string> {
  group: InputGroup;
  symbol: Symbol;
  label: string;
  unit: string;
  help: string;
  source: string;
  min: string;
  max: string;
  integer?: true;
  unverified?: true;
}

export function number<const Key extends string, const Symbol extends string>(
  key: Key,
  value: string,
  facts: NumberFacts<Symbol>,
): NumberInput<Key, Symbol> {
  const { unverified, integer, ...rest } = facts;
  return { kind: 'number', key, default: value, integer: integer === true, verified: unverified !== true, ...rest };
}

export function flag<const Key extends string, const Symbol extends string>(
  key: Key,
  value: 'true' | 'false',
  facts: Facts<Symbol>,
): FlagInput<Key, Symbol> {
  return { kind: 'flag', key, default: value, verified: true, ...facts };
}

export function choice<const Key extends string>(
  key: Key,
  value: string,
  options: readonly (readonly [string, string])[],
  facts: Omit<Facts<''>, 'symbol'>,
): ChoiceInput<Key> {
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
