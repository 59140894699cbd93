// Positions within a chart, in pixels. Pure.
import type { TimeSeriesData, TimeWindow } from './prepare-time-series.ts';

export const PLOT_HEIGHT_PX = 200;
const MARGIN_PX = { top: 8, right: 10, bottom: 22, left: 44 } as const;

/** The two axes of a chart. */
export interface PlotScale {
  left: number;
  right: number;
  top: number;
  bottom: number;
  xOfTime: (timeMs: number) => number;
  /** Clamped to the window. */
  timeAt: (x: number) => number;
  yOf: (value: number) => number;
}

export interface Frame extends PlotScale {
  /** A step is drawn at its middle. */
  xOfStep: (step: number) => number;
}

/** The ranges of the axes: a window of time, and values from `bottom` to `top`. */
export interface PlotRange {
  window: TimeWindow;
  bottom: number;
  top: number;
}

/** The axes of a chart of this width. */
export function scaleOf({ window, bottom, top }: PlotRange, width: number): PlotScale {
  const left = MARGIN_PX.left;
  const right = Math.max(left + 1, width - MARGIN_PX.right);
  const low = PLOT_HEIGHT_PX - MARGIN_PX.bottom;
  const perMs = (right - left) / Math.max(1, window.endMs - window.startMs);
  const perValue = (low - MARGIN_PX.top) / (top - bottom || 1);
  return {
    left,
    right,
    top: MARGIN_PX.top,
    bottom: low,
    xOfTime: (timeMs) => left + (timeMs - window.startMs) * perMs,
    timeAt: (x) => window.startMs + (Math.min(right, Math.max(left, x)) - left) / perMs,
    yOf: (value) => low - (value - bottom) * perValue,
  };
}

/** The frame of a chart of steps of this width. */
export function frameOf(data: TimeSeriesData, width: number): Frame {
  const scale = scaleOf(data, width);
  return { ...scale, xOfStep: (step) => scale.xOfTime(data.startMs + (step + 0.5) * data.stepMs) };
}
