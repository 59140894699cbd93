// The slower results: computed on the server for the first page, then in the worker.
import {
  type BreakEven,
  breakEven,
  type CalculatorState,
  type CurvePoint,
  costCurve,
  oursIn,
  type SensitivityRow,
  SYSTEMS,
  saving,
  sensitivity,
} from '@penstock/pricing';
import { rivalIn } from './prepare-estimate';

export interface Analysis {
  readonly curve: readonly CurvePoint[];
  readonly breakEvens: Readonly<Record<string, BreakEven>>;
  readonly saved: number | null;
  readonly sensitivity: readonly SensitivityRow[];
}

/** Some 200 estimates: tens of milliseconds. */
export function analyse(state: CalculatorState): Analysis {
  const ours = oursIn(state).id;
  const rival = rivalIn(state);
  const curve = costCurve(state);
  return {
    curve,
    breakEvens: Object.fromEntries(
      SYSTEMS.filter((system) => system.ours === undefined).map(({ id }) => [id, breakEven(state, curve, ours, id)]),
    ),
    saved: saving(state, ours, rival),
    sensitivity: sensitivity(state, ours, rival),
  };
}
