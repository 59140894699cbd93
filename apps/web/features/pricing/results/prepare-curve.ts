// Converts totals at 25 loads into the lines of a log-log chart. Pure.
import { moneyTick, numberTick, type Plane, polylineOf, preparePlane } from '@penstock/charts/plane';
import type { CurvePoint } from '@penstock/pricing';

export interface CurveLine {
  readonly id: string;
  readonly points: string;
}
export interface CurveChart extends Pick<Plane, 'xTicks' | 'yTicks'> {
  readonly lines: readonly CurveLine[];
}

/** Lines, ticks and coordinates. Lines are empty when nothing is available, never NaN. */
export function prepareCurve(curve: readonly CurvePoint[], ids: readonly string[]): CurveChart {
  const plane = preparePlane(
    { values: curve.map((point) => point.mibPerSecond), whenEmpty: [-2, 4], tickText: numberTick },
    {
      values: curve.flatMap((point) => ids.map((id) => point.totals[id] ?? 0)),
      whenEmpty: [0, 3],
      tickText: moneyTick,
    },
  );
  return {
    lines: ids.map((id) => ({
      id,
      points: polylineOf(
        plane,
        curve.map((point) => [point.mibPerSecond, point.totals[id] ?? 0]),
      ),
    })),
    xTicks: plane.xTicks,
    yTicks: plane.yTicks,
  };
}
