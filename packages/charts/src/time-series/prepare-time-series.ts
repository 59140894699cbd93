// Converts the lines of a metrics response into what a chart draws: colours, one unit, ticks, and a summary per line. Pure.
import type { Unit } from '@penstock/telemetry';
import { COLOUR_COUNT, colourAt } from './palette.ts';
import { type TimeTick, type TimeZone, timeTicks } from './time-axis.ts';
import { scaleFor, type ValueTick, valueTicks } from './value-scale.ts';

export interface TimeSeriesLine {
  /** Unique within the chart. */
  key: string;
  label: string;
  /** One per step, oldest first; null where nothing was measured. */
  values: readonly (number | null)[];
}

export interface TimeSeriesInput {
  unit: Unit;
  /** When the first step began. */
  startMs: number;
  stepMs: number;
  lines: readonly TimeSeriesLine[];
}

export interface TimeWindow {
  startMs: number;
  endMs: number;
}

export interface ChartLine extends TimeSeriesLine {
  colour: string;
  /** Whether the line has its own colour; the others are grey. */
  hasColour: boolean;
  /** The newest value; null when the newest step was not measured. */
  latest: number | null;
  /** Null when nothing was measured. */
  greatest: number | null;
}

export interface TimeSeriesData {
  window: TimeWindow;
  unit: Unit;
  startMs: number;
  stepMs: number;
  steps: number;
  /** Largest lines first, in the order of their colours. */
  lines: ChartLine[];
  xTicks: TimeTick[];
  zone: TimeZone;
  /** Labels of the value axis. */
  axisUnit: string;
  yTicks: ValueTick[];
  /** The ends of the value axis. */
  bottom: number;
  top: number;
  /** Whether any line has a value within the window. */
  measured: boolean;
}

/** Labels of a time axis need about 90 px each at most widths. */
const X_TICKS = 6;

/** @param keepOrder colours follow the order of the lines, as for percentiles; otherwise the largest lines come first */
export function prepareTimeSeries(
  { unit, startMs, stepMs, lines }: TimeSeriesInput,
  window: TimeWindow,
  zone: TimeZone,
  keepOrder = false,
): TimeSeriesData {
  const measuredLines = lines.filter(({ values }) => values.some((value) => value !== null));
  const ranked = keepOrder
    ? measuredLines
    : measuredLines.toSorted((left, right) => sumOf(right.values) - sumOf(left.values));
  const chartLines = ranked.map((line, place): ChartLine => {
    const values = line.values.filter((value) => value !== null);
    return {
      ...line,
      colour: colourAt(place),
      hasColour: place < COLOUR_COUNT,
      latest: line.values.at(-1) ?? null,
      greatest: values.length === 0 ? null : greatestOf(values),
    };
  });
  const all = chartLines.flatMap(({ values }) => values.filter((value) => value !== null));
  const peak = Math.max(0, greatestOf(all));
  const trough = Math.min(0, -greatestOf(all.map((value) => -value)));
  const scale = scaleFor(unit, Math.max(peak, -trough));
  const above = peak > 0 || trough === 0 ? valueTicks(peak, scale) : [];
  // Only clock offsets can be negative.
  const below = trough < 0 ? valueTicks(-trough, scale).slice(peak > 0 ? 1 : 0) : [];
  const yTicks = [...below.toReversed().map(({ value, text }) => ({ value: -value, text: `-${text}` })), ...above];
  return {
    window,
    unit,
    startMs,
    stepMs,
    steps: Math.max(0, ...lines.map(({ values }) => values.length)),
    lines: chartLines,
    xTicks: timeTicks(window.startMs, window.endMs, X_TICKS, zone),
    zone,
    axisUnit: scale.unit,
    yTicks,
    bottom: yTicks[0]?.value ?? 0,
    top: yTicks.at(-1)?.value ?? 1,
    measured: chartLines.length > 0,
  };
}

function sumOf(values: readonly (number | null)[]): number {
  let sum = 0;
  for (const value of values) {
    sum += value ?? 0;
  }
  return sum;
}

/** -Infinity when there is none. A loop, because there may be more values than a call can take as arguments. */
function greatestOf(values: readonly number[]): number {
  let greatest = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    greatest = Math.max(greatest, value);
  }
  return greatest;
}

/** The step that contains a time, or null when the time is outside the requested window. */
export function stepAt({ startMs, stepMs, steps }: TimeSeriesData, timeMs: number): number | null {
  const step = Math.floor((timeMs - startMs) / stepMs);
  return step >= 0 && step < steps ? step : null;
}

/**
 * A line as the commands of an SVG path, with a segment for each section without a gap. A single measurement between two gaps is a point.
 */
export function pathOf(
  values: readonly (number | null)[],
  xOf: (step: number) => number,
  yOf: (value: number) => number,
): string {
  let path = '';
  let isDrawing = false;
  for (let step = 0; step < values.length; step += 1) {
    const value = values[step];
    if (value === null || value === undefined) {
      isDrawing = false;
      continue;
    }
    const x = xOf(step).toFixed(1);
    const y = yOf(value).toFixed(1);
    const isAlone = !isDrawing && (values[step + 1] ?? null) === null;
    path += isDrawing ? `L${x} ${y}` : isAlone ? `M${x} ${y}h0.01` : `M${x} ${y}`;
    isDrawing = true;
  }
  return path;
}

/** The area under a line as the commands of an SVG path, closed down to zero for each section without a gap. */
export function areaOf(
  values: readonly (number | null)[],
  xOf: (step: number) => number,
  yOf: (value: number) => number,
): string {
  const zeroY = yOf(0);
  const areas: string[] = [];
  let from: number | null = null;
  for (let step = 0; step <= values.length; step += 1) {
    const isMeasured = (values[step] ?? null) !== null;
    if (isMeasured && from === null) {
      from = step;
    }
    if (isMeasured || from === null) {
      continue;
    }
    const first = from;
    const stretch = values.slice(first, step);
    if (stretch.length > 1) {
      const top = pathOf(stretch, (index) => xOf(first + index), yOf);
      areas.push(`${top}L${xOf(step - 1).toFixed(1)} ${zeroY}L${xOf(first).toFixed(1)} ${zeroY}Z`);
    }
    from = null;
  }
  return areas.join('');
}
