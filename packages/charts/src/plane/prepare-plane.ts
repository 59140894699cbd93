// Points over two logarithmic axes, as shares of the drawing: 0 to 100 from the left and from the top. Pure.
import { decades, decadesAround, shareOf, type Tick } from './log-scale.ts';

export interface LogAxis {
  /** All values of the axis; non-positive ones are left out. */
  readonly values: readonly number[];
  /** The powers of ten at both ends when there are no values. */
  readonly whenEmpty: readonly [number, number];
  /** The text of a power of ten. */
  readonly tickText: (exponent: number) => string;
}

export interface Plane {
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly xOf: (value: number) => number;
  readonly yOf: (value: number) => number;
}

/** The plane that contains all values of both axes, with a tick at each power of ten. */
export function preparePlane(x: LogAxis, y: LogAxis): Plane {
  const xRange = decadesAround(x.values, x.whenEmpty);
  const yRange = decadesAround(y.values, y.whenEmpty);
  const xOf = (value: number): number => shareOf(value, xRange);
  const yOf = (value: number): number => 100 - shareOf(value, yRange);
  return {
    xTicks: decades(xRange).map((exponent) => ({ at: xOf(10 ** exponent), text: x.tickText(exponent) })),
    yTicks: decades(yRange).map((exponent) => ({ at: yOf(10 ** exponent), text: y.tickText(exponent) })),
    xOf,
    yOf,
  };
}

/** A line as the points of an SVG polyline. Non-positive points have no position and are left out. */
export function polylineOf({ xOf, yOf }: Plane, points: readonly (readonly [x: number, y: number])[]): string {
  return points
    .filter(([x, y]) => x > 0 && y > 0)
    .map(([x, y]) => `${xOf(x).toFixed(2)},${yOf(y).toFixed(2)}`)
    .join(' ');
}
