// Round numbers and times for axes. Pure.

import { MINUTE_MS } from '@penstock/units';

/** 0 and up to `count` steps of 1, 2 or 5 times a power of ten; the last is at least `max`. Never empty, never flat. */
export function niceTicks(max: number, count: number): readonly number[] {
  const top = max > 0 ? max : 1;
  const rough = top / count;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / magnitude;
  const factor = lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10;
  const step = factor * magnitude;
  const steps = Math.ceil(top / step - 1e-9);
  // Multiplying instead of adding keeps steps such as 0.1 from drifting.
  return Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** Multiples of `everyMinutes` minutes in [startMs, endMs]. */
export function minuteTicks(startMs: number, endMs: number, everyMinutes: number): readonly number[] {
  const stepMs = everyMinutes * MINUTE_MS;
  const ticks: number[] = [];
  for (let tickMs = Math.ceil(startMs / stepMs) * stepMs; tickMs <= endMs; tickMs += stepMs) {
    ticks.push(tickMs);
  }
  return ticks;
}
