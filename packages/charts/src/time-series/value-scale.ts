// Chooses one unit for a chart's value axis, and round ticks in that unit. Pure.
import type { Unit } from '@penstock/telemetry';
import { binaryUnitFor, bytesPer, formatByteRate, formatBytes, formatShortCount } from '@penstock/units';
import { niceTicks } from '../ticks.ts';

const Y_STEPS = 4;
const BYTES_PER_KIB = 1_024;

export interface ValueScale {
  /** The axis' unit: `ms`, `MiB/s`, `%` … */
  unit: string;
  /** Base values per unit. */
  perUnit: number;
}

export interface ValueTick {
  value: number;
  /** In the axis' unit. */
  text: string;
}

/** The unit of an axis with this greatest value. */
export function scaleFor(unit: Unit, peak: number): ValueScale {
  switch (unit) {
    case 'ms':
      if (peak >= 10_000) {
        return { unit: 's', perUnit: 1_000 };
      }
      return peak > 0 && peak < 1 ? { unit: 'µs', perUnit: 1 / 1_000 } : { unit: 'ms', perUnit: 1 };
    case 'B/s': {
      const binary = binaryUnitFor(peak);
      return { unit: `${binary}/s`, perUnit: bytesPer(binary) };
    }
    case 'KiB': {
      const binary = binaryUnitFor(peak * BYTES_PER_KIB);
      return { unit: binary, perUnit: bytesPer(binary) / BYTES_PER_KIB };
    }
    case 'ratio':
      return { unit: '%', perUnit: 1 / 100 };
    case '1/s':
      return { unit: 'per second', perUnit: 1 };
    case 's/s':
      return { unit: 'seconds per second', perUnit: 1 };
    case 'count':
      // The chart's title says what is counted.
      return { unit: '', perUnit: 1 };
    case 'cores':
      return { unit, perUnit: 1 };
  }
}

/** Ticks from 0 to at least `peak`, round in the axis' unit. */
export function valueTicks(peak: number, scale: ValueScale): ValueTick[] {
  return niceTicks(peak / scale.perUnit, Y_STEPS).map((tick) => ({
    value: tick * scale.perUnit,
    text: formatShortCount(tick),
  }));
}

/** A single value in its most readable unit: `12.4 ms`, `31.2 MiB/s`, `98.2%`. */
export function valueText(unit: Unit, value: number | null | undefined): string {
  if (value === null || value === undefined) {
    return 'no data';
  }
  switch (unit) {
    case 'ms':
      return latencyText(value);
    case 'B/s':
      return joined(formatByteRate(value));
    case 'KiB':
      return joined(formatBytes(value * BYTES_PER_KIB));
    case 'ratio':
      return `${short(value * 100)}%`;
    case '1/s':
      return `${short(value)}/s`;
    case 's/s':
      return `${short(value)} s/s`;
    case 'cores':
      return `${short(value)} cores`;
    case 'count':
      return short(value);
  }
}

/** A latency: `840 µs`, `12.4 ms`, `1.2 s`. At most three significant digits, positive or negative. */
function latencyText(ms: number): string {
  const magnitude = Math.abs(ms);
  if (magnitude >= 1_000) {
    return `${short(ms / 1_000)} s`;
  }
  return magnitude > 0 && magnitude < 1 ? `${short(ms * 1_000)} µs` : `${short(ms)} ms`;
}

function short(value: number): string {
  return formatShortCount(value);
}

function joined({ value, unit }: { value: string; unit: string }): string {
  return `${value} ${unit}`;
}
