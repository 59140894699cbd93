// Analyses based on many estimates: cost against throughput, break-even points, and which assumptions matter.
import { decimal } from '../decimal/index.ts';
import { INPUTS, type InputKey, type InputSpec } from '../inputs/index.ts';
import { type CalculatorState, estimateState, withInput } from '../state/index.ts';

/** Totals in dollars, as numbers for drawing and comparing. Null when the system is not available. */
export interface CurvePoint {
  readonly mibPerSecond: number;
  readonly totals: Readonly<Record<string, number | null>>;
}

/** 25 loads from 0.01 MiB/s to 10,000 MiB/s, evenly spaced on a logarithmic scale. */
export const CURVE_LOADS: readonly number[] = Array.from({ length: 25 }, (_, index) =>
  Number((10 ** (index / 4 - 2)).toPrecision(3)),
);

function atLoad(state: CalculatorState, mibPerSecond: number): CalculatorState {
  return {
    ...state,
    inputs: {
      ...state.inputs,
      throughput: decimal(mibPerSecond.toPrecision(6)).toFixed(),
      throughputUnit: 'MiB/s',
      throughputBasis: 'uncompressed',
    },
  };
}

/** All totals at one load, in MiB/s before compression. */
export function curvePoint(state: CalculatorState, mibPerSecond: number, only?: ReadonlySet<string>): CurvePoint {
  const { systems } = estimateState(atLoad(state, mibPerSecond), only);
  return {
    mibPerSecond,
    totals: Object.fromEntries(systems.map((system) => [system.id, system.available ? system.total.toNumber() : null])),
  };
}

/** Cost against throughput, with everything else as in the state. */
export function costCurve(state: CalculatorState): readonly CurvePoint[] {
  return CURVE_LOADS.map((load) => curvePoint(state, load));
}

export type BreakEven =
  | { readonly kind: 'not available' }
  | { readonly kind: 'always cheaper' | 'never cheaper' }
  /** Loads (MiB/s before compression) at which the cheaper system changes; `cheaperBelow` is the cheaper one below the first. */
  | { readonly kind: 'crosses'; readonly cheaperBelow: boolean; readonly at: readonly number[] };

const BISECTIONS = 12;

/** Where `ours` and `rival` cost the same, within the curve's range. */
export function breakEven(
  state: CalculatorState,
  curve: readonly CurvePoint[],
  ours: string,
  rival: string,
): BreakEven {
  const pair = new Set([ours, rival]);
  const difference = (point: CurvePoint): number | null => {
    const mine = point.totals[ours];
    const theirs = point.totals[rival];
    return mine === null || mine === undefined || theirs === null || theirs === undefined ? null : theirs - mine;
  };
  const samples = curve.map((point) => ({ load: point.mibPerSecond, saved: difference(point) }));
  const known = samples.flatMap(({ load, saved }) => (saved === null ? [] : [{ load, saved }]));
  const first = known[0];
  if (first === undefined) {
    return { kind: 'not available' };
  }
  const at: number[] = [];
  for (const [index, right] of known.entries()) {
    const left = known[index - 1];
    if (left === undefined || left.saved > 0 === right.saved > 0) {
      continue;
    }
    let low = left.load;
    let high = right.load;
    for (let step = 0; step < BISECTIONS; step += 1) {
      const middle = Math.sqrt(low * high);
      const saved = difference(curvePoint(state, middle, pair)) ?? 0;
      if (saved > 0 === left.saved > 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    at.push(Number(high.toPrecision(3)));
  }
  if (at.length === 0) {
    return { kind: first.saved > 0 ? 'always cheaper' : 'never cheaper' };
  }
  return { kind: 'crosses', cheaperBelow: first.saved > 0, at };
}

export interface SensitivityRow {
  readonly key: string;
  readonly label: string;
  /** The two values tried in place of the current one. */
  readonly low: string;
  readonly high: string;
  /** The monthly savings of `ours` over `rival` with each value, in dollars. Null when they could not be estimated. */
  readonly savedLow: number | null;
  readonly savedHigh: number | null;
  /** The larger change of the saving, in dollars. */
  readonly swing: number;
}

function alternatives(spec: InputSpec, text: string): readonly [string, string] | null {
  if (spec.kind === 'flag') {
    return ['false', 'true'];
  }
  if (spec.kind === 'choice') {
    return null;
  }
  const value = decimal(text);
  const half = spec.integer ? value.div(2).ceil() : value.div(2);
  const low = half.lt(spec.min) ? decimal(spec.min) : half;
  const high = value.times(2).gt(spec.max) ? decimal(spec.max) : value.times(2);
  return low.eq(high) ? null : [low.toFixed(), high.toFixed()];
}

/** The saving of `ours` against `rival`, in dollars per month. */
export function saving(state: CalculatorState, ours: string, rival: string): number | null {
  const { systems } = estimateState(state, new Set([ours, rival]));
  const totals = new Map(systems.map((system) => [system.id, system.available ? system.total.toNumber() : null]));
  const mine = totals.get(ours);
  const theirs = totals.get(rival);
  return mine === null || mine === undefined || theirs === null || theirs === undefined ? null : theirs - mine;
}

/** The effect on the saving of halving and doubling one number (within its bounds), or of flipping one switch; null when it cannot vary. */
function sensitivityOf(
  state: CalculatorState,
  ours: string,
  rival: string,
  now: number,
  spec: InputSpec<InputKey>,
): SensitivityRow | null {
  const pair = alternatives(spec, state.inputs[spec.key]);
  if (pair === null) {
    return null;
  }
  const [low, high] = pair;
  const savedLow = saving(withInput(state, spec.key, low), ours, rival);
  const savedHigh = saving(withInput(state, spec.key, high), ours, rival);
  const swing = Math.max(Math.abs((savedLow ?? now) - now), Math.abs((savedHigh ?? now) - now));
  return { key: spec.key, label: spec.label, low, high, savedLow, savedHigh, swing };
}

/** Every input with any effect, the largest swing first. Empty when one of the two systems is not available. */
export function sensitivity(state: CalculatorState, ours: string, rival: string): readonly SensitivityRow[] {
  const now = saving(state, ours, rival);
  if (now === null) {
    return [];
  }
  return INPUTS.map((spec) => sensitivityOf(state, ours, rival, now, spec))
    .filter((row) => row !== null)
    .filter((row) => row.swing > 0)
    .sort((a, b) => b.swing - a.swing);
}
