// Where things stand within a chart, in pixels. Pure.
import type { TimeSeriesData } from './prepare-time-series.ts';

export const PLOT_HEIGHT_PX = 200;
const MARGIN_PX = { top: 8, right: 10, bottom: 22, left: 44 } as const;

export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
  xOfTime: (timeMs: number) => number;
  /** Within the window, whatever the place. */
  timeAt: (x: number) => number;
  /** A step stands at its middle. */
  xOfStep: (step: number) => number;
  yOf: (value: number) => number;
}

/** The frame of a chart that is so wide. */
export function frameOf({ window, startMs, stepMs, bottom, top }: TimeSeriesData, width: number): Frame {
  const left = MARGIN_PX.left;
  const right = Math.max(left + 1, width - MARGIN_PX.right);
  const low = PLOT_HEIGHT_PX - MARGIN_PX.bottom;
  const perMs = (right - left) / Math.max(1, window.endMs - window.startMs);
  const perValue = (low - MARGIN_PX.top) / (top - bottom || 1);
  const xOfTime = (timeMs: number): number => left + (timeMs - window.startMs) * perMs;
  return {
    left,
    right,
    top: MARGIN_PX.top,
    bottom: low,
    xOfTime,
    timeAt: (x) => window.startMs + (Math.min(right, Math.max(left, x)) - left) / perMs,
    xOfStep: (step) => xOfTime(startMs + (step + 0.5) * stepMs),
    yOf: (value) => low - (value - bottom) * perValue,
  };
}
