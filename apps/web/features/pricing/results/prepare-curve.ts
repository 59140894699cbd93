// From totals at 25 loads to the points of a log-log chart. Pure.
import type { CurvePoint } from '@penstock/pricing';

export const CHART = { width: 720, height: 320, left: 56, right: 12, top: 12, bottom: 36 } as const;

export type Tick = { readonly at: number; readonly text: string };
export type CurveLine = { readonly id: string; readonly points: string };
export type CurveChart = {
  readonly lines: readonly CurveLine[];
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
};

const log = (value: number) => Math.log10(value);

function moneyTick(exponent: number): string {
  const value = 10 ** exponent;
  return value >= 1e6 ? `$${value / 1e6}M` : value >= 1e3 ? `$${value / 1e3}k` : `$${value}`;
}
function loadTick(exponent: number): string {
  return exponent >= 0 ? (10 ** exponent).toLocaleString('en-US') : (10 ** exponent).toFixed(-exponent);
}

/** Lines, ticks and coordinates; empty lines where nothing is available, never a NaN. */
export function prepareCurve(curve: readonly CurvePoint[], ids: readonly string[]): CurveChart {
  const totals = curve.flatMap((point) => ids.map((id) => point.totals[id] ?? 0)).filter((total) => total > 0);
  const low = Math.floor(log(Math.min(...totals, 1000)));
  const high = Math.max(low + 1, Math.ceil(log(Math.max(...totals, 1))));
  const from = log(curve[0]?.mibPerSecond ?? 0.01);
  const to = log(curve.at(-1)?.mibPerSecond ?? 10_000);
  const x = (exponent: number) =>
    CHART.left + ((exponent - from) / (to - from)) * (CHART.width - CHART.left - CHART.right);
  const y = (exponent: number) =>
    CHART.height - CHART.bottom - ((exponent - low) / (high - low)) * (CHART.height - CHART.top - CHART.bottom);
  const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return {
    lines: ids.map((id) => ({
      id,
      points: curve
        .flatMap((point) => {
          const total = point.totals[id] ?? 0;
          return total > 0 ? [`${x(log(point.mibPerSecond)).toFixed(1)},${y(log(total)).toFixed(1)}`] : [];
        })
        .join(' '),
    })),
    xTicks: range(Math.ceil(from), Math.floor(to)).map((exponent) => ({ at: x(exponent), text: loadTick(exponent) })),
    yTicks: range(low, high).map((exponent) => ({ at: y(exponent), text: moneyTick(exponent) })),
  };
}
