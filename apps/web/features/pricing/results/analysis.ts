// The slower results: computed on the server for the first page, then in short slices in the browser.
import {
  type BreakEven,
  breakEven,
  type CalculatorState,
  CURVE_LOADS,
  type CurvePoint,
  curvePoint,
  INPUTS,
  oursIn,
  rankSensitivity,
  type SensitivityRow,
  SYSTEMS,
  saving,
  sensitivityOf,
} from '@penstock/pricing';

export interface Analysis {
  readonly curve: readonly CurvePoint[];
  readonly breakEvens: Readonly<Record<string, BreakEven>>;
  readonly saved: number | null;
  readonly sensitivity: readonly SensitivityRow[];
}

/** Yields between short steps, so that a caller can cancel or let the browser draw; returns the analysis. */
export function* analyse(state: CalculatorState): Generator<void, Analysis> {
  const ours = oursIn(state);
  const rival = state.inputs['rival'] ?? 'kafka-follower';
  const curve: CurvePoint[] = [];
  for (const load of CURVE_LOADS) {
    curve.push(curvePoint(state, load));
    yield;
  }
  const breakEvens: Record<string, BreakEven> = {};
  for (const { id } of SYSTEMS) {
    if (!id.startsWith('penstock')) {
      breakEvens[id] = breakEven(state, curve, ours, id);
      yield;
    }
  }
  const saved = saving(state, ours, rival);
  const rows: (SensitivityRow | null)[] = [];
  if (saved !== null) {
    for (const spec of INPUTS) {
      rows.push(sensitivityOf(state, ours, rival, saved, spec));
      yield;
    }
  }
  return { curve, breakEvens, saved, sensitivity: rankSensitivity(rows) };
}
