// The calculator's state: only what was changed.
import { CATALOGUE_ENTRIES, catalogueOn, LATEST_DAY, machineNamed } from '../catalogue/index.ts';
import { type Decimal, decimal } from '../decimal/index.ts';
import { type Estimate, estimate } from '../engine/estimate.ts';
import { PINNABLE } from '../engine/explain.ts';
import {
  DEFAULT_INPUTS,
  INPUTS,
  type InputKey,
  type InputSpec,
  type InputValues,
  inputNamed,
} from '../inputs/index.ts';
import { type OurSystem, SYSTEMS } from '../models/index.ts';

export interface CalculatorState {
  readonly inputs: InputValues;
  /** By `system.cell`: decimal text. */
  readonly pins: Readonly<Record<string, string>>;
  /** By catalogue item: decimal text. */
  readonly prices: Readonly<Record<string, string>>;
  /** The day of the prices, `YYYY-MM-DD`. */
  readonly asOf: string;
}

export const DEFAULT_STATE: CalculatorState = { inputs: DEFAULT_INPUTS, pins: {}, prices: {}, asOf: LATEST_DAY };

/** Errors by the field's name in the URL. */
export type FieldErrors = Readonly<Record<string, string>>;
export interface ParsedState {
  readonly state: CalculatorState;
  readonly errors: FieldErrors;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i;
const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const MAX_TEXT = 40;
const MAX_PIN = '1000000000000000';
const MAX_PRICE = '1000000';
const MAX_OVERRIDES = 40;
const ITEMS = new Set(CATALOGUE_ENTRIES.map((entry) => entry.item));
export const PIN_PREFIX = 'pin.';
export const PRICE_PREFIX = 'price.';

interface Bounds {
  min: string;
  max: string;
  integer: boolean;
}
type Checked = { ok: true; text: string } | { ok: false; message: string };

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

function checkNumber(raw: string, { min, max, integer }: Bounds): Checked {
  const text = raw.trim();
  if (text === '') {
    return { ok: false, message: `Enter a number from ${min} to ${grouped(max)}.` };
  }
  if (text.length > MAX_TEXT || !NUMBER.test(text)) {
    return { ok: false, message: 'Enter only a number, such as 250 or 0.5, without units or separators.' };
  }
  const value = decimal(text);
  if (value.lt(min)) {
    return { ok: false, message: `Enter a number of at least ${min}.` };
  }
  if (value.gt(max)) {
    return { ok: false, message: `Enter a number of at most ${grouped(max)}.` };
  }
  if (integer && !value.isInteger()) {
    return { ok: false, message: 'Enter a whole number.' };
  }
  if (value.decimalPlaces() > 15) {
    return { ok: false, message: 'Use at most 15 decimal places.' };
  }
  return { ok: true, text: value.toFixed() };
}

function checkInput(spec: InputSpec, raw: string): Checked {
  if (spec.kind === 'number') {
    return checkNumber(raw, spec);
  }
  if (spec.kind === 'flag') {
    const text = raw === 'on' || raw === '1' ? 'true' : raw === 'off' || raw === '0' ? 'false' : raw;
    return text === 'true' || text === 'false' ? { ok: true, text } : { ok: false, message: 'Use true or false.' };
  }
  return spec.options.some((option) => option.value === raw)
    ? { ok: true, text: raw }
    : { ok: false, message: `Use one of: ${spec.options.map((option) => option.value).join(', ')}.` };
}

/** A field that is not an input. */
function checkField(key: string, raw: string): Checked {
  if (key === 'asOf') {
    return DAY.test(raw) ? { ok: true, text: raw } : { ok: false, message: 'Enter a date as YYYY-MM-DD.' };
  }
  const cell = key.startsWith(PIN_PREFIX) ? PINNABLE.get(key.slice(PIN_PREFIX.length)) : undefined;
  if (cell !== undefined) {
    return checkNumber(raw, { min: cell.min, max: MAX_PIN, integer: false });
  }
  if (key.startsWith(PRICE_PREFIX) && ITEMS.has(key.slice(PRICE_PREFIX.length))) {
    return checkNumber(raw, { min: '0', max: MAX_PRICE, integer: false });
  }
  return { ok: false, message: 'Unknown field.' };
}

/** Machines must belong to the chosen cloud. */
function checkTogether(inputs: InputValues, errors: Map<string, string>): void {
  for (const key of ['brokerMachine', 'agentMachine'] as const) {
    const machine = machineNamed(inputs[key]);
    if (machine !== undefined && machine.cloud !== inputs.cloud) {
      errors.set(key, `${machine.name} isn’t available on the selected cloud. Choose another machine, or auto.`);
    }
  }
}

/**
 * Parses a state from named texts (the URL's query, a form, an API request). An invalid field is reported by name and keeps its default, so
 * that an estimate is always possible. Never throws.
 */
export function parseState(fields: Iterable<readonly [string, string]>): ParsedState {
  const inputs: Record<InputKey, string> = { ...DEFAULT_INPUTS };
  const pins: Record<string, string> = {};
  const prices: Record<string, string> = {};
  // A Map, because field names are untrusted input: `__proto__` could be one.
  const errors = new Map<string, string>();
  let asOf = LATEST_DAY;
  let overrides = 0;
  for (const [key, raw] of fields) {
    const spec = inputNamed(key);
    const checked = spec === undefined ? checkField(key, raw) : checkInput(spec, raw);
    const isOverride = key.startsWith(PIN_PREFIX) || key.startsWith(PRICE_PREFIX);
    overrides += isOverride ? 1 : 0;
    if (!checked.ok) {
      errors.set(key, checked.message);
    } else if (isOverride && overrides > MAX_OVERRIDES) {
      errors.set(key, `You can override at most ${MAX_OVERRIDES} prices and values.`);
    } else if (key === 'asOf') {
      asOf = checked.text;
    } else if (key.startsWith(PIN_PREFIX)) {
      pins[key.slice(PIN_PREFIX.length)] = checked.text;
    } else if (key.startsWith(PRICE_PREFIX)) {
      prices[key.slice(PRICE_PREFIX.length)] = checked.text;
    } else if (spec !== undefined) {
      inputs[spec.key] = checked.text;
    }
  }
  checkTogether(inputs, errors);
  return { state: { inputs, pins, prices, asOf }, errors: Object.fromEntries(errors) };
}

/** The fields that differ from the default, in a fixed order, for the URL. */
export function changedFields(state: CalculatorState): readonly (readonly [string, string])[] {
  const fields: (readonly [string, string])[] = [];
  for (const spec of INPUTS) {
    const value = state.inputs[spec.key];
    if (value !== spec.default) {
      fields.push([spec.key, value]);
    }
  }
  if (state.asOf !== LATEST_DAY) {
    fields.push(['asOf', state.asOf]);
  }
  for (const [prefix, record] of [
    [PIN_PREFIX, state.pins],
    [PRICE_PREFIX, state.prices],
  ] as const) {
    for (const key of Object.keys(record).sort()) {
      fields.push([`${prefix}${key}`, record[key] ?? '']);
    }
  }
  return fields;
}

/** The query of a link to this state, without `?`; empty for the default. */
export function encodeState(state: CalculatorState): string {
  return changedFields(state)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&');
}

function decimals(record: Readonly<Record<string, string>>): ReadonlyMap<string, Decimal> {
  return new Map(Object.entries(record).map(([key, text]) => [key, decimal(text)]));
}

/** The estimate of a state, for all systems or the named ones. */
export function estimateState(state: CalculatorState, only?: ReadonlySet<string>): Estimate {
  return estimate(
    {},
    { inputs: state.inputs, pins: decimals(state.pins), prices: decimals(state.prices) },
    catalogueOn(state.asOf),
    only,
  );
}

/** The state with one input changed. The text must be valid. */
export function withInput(state: CalculatorState, key: InputKey, text: string): CalculatorState {
  return { ...state, inputs: { ...state.inputs, [key]: text } };
}

/** The state with several inputs changed. The texts must be valid. */
export function withInputs(state: CalculatorState, changed: Partial<InputValues>): CalculatorState {
  return { ...state, inputs: { ...state.inputs, ...changed } };
}

/** The system of Penstock that the latency switch compares with the others. */
export function oursIn({ inputs: { latencyMode } }: CalculatorState): OurSystem & { readonly id: string } {
  for (const { id, ours } of SYSTEMS) {
    if (ours?.latencyMode === latencyMode) {
      return { id, ...ours };
    }
  }
  throw new Error(`no system of Penstock is compared in the mode '${latencyMode}'`);
}
