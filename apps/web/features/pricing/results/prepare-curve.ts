// From totals at 25 loads to the points of a log-log chart, in shares of the drawing. Pure.
import type { CurvePoint } from '@penstock/pricing';
import { decades, decadesAround, moneyTick, numberTick, shareOf, type Tick } from './log-scale';

export type CurveLine = { readonly id: string; readonly points: string };
export type CurveChart = {
  readonly lines: readonly CurveLine[];
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
};

/** Lines, ticks and coordinates; empty lines where nothing is available, never a NaN. */
export function prepareCurve(curve: readonly CurvePoint[], ids: readonly string[]): CurveChart {
  const xRange = decadesAround(
    curve.map((point) => point.mibPerSecond),
    [-2, 4],
  );
  const yRange = decadesAround(
    curve.flatMap((point) => ids.map((id) => point.totals[id] ?? 0)),
    [0, 3],
  );
  return {
    lines: ids.map((id) => ({
      id,
      points: curve
        .flatMap((point) => {
          const total = point.totals[id] ?? 0;
          return total > 0
            ? [`${shareOf(point.mibPerSecond, xRange).toFixed(2)},${(100 - shareOf(total, yRange)).toFixed(2)}`]
            : [];
        })
        .join(' '),
    })),
    xTicks: decades(xRange).map((exponent) => ({
      at: shareOf(10 ** exponent, xRange),
      text: numberTick(exponent),
    })),
    yTicks: decades(yRange).map((exponent) => ({
      at: 100 - shareOf(10 ** exponent, yRange),
      text: moneyTick(exponent),
    })),
  };
}
