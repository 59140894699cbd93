// The same lines for both libraries: 6 lines of 180 steps, like an hour on a metrics page.
export const LINES = 6;
export const STEPS = 180;
export const STEP_MS = 20_000;
export const START_MS = Date.UTC(2026, 10, 21, 10, 0, 0);

/** The value of a line at a step: smooth, positive, and different for each chart. */
export function valueAt(chart: number, line: number, step: number): number {
  return 10 + line * 4 + 3 * Math.sin((step + chart * 7) / (5 + line)) + 2 * Math.cos(step / 3);
}
