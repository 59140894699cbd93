import { DAY_MS } from '@penstock/units';

/** Whole days until a moment, rounded up: 1 on the last day, never 0. */
export function daysLeft(untilMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((untilMs - nowMs) / DAY_MS));
}
