// Slider positions, 0 to 1000, over the useful part of an input's range. The number field accepts the rest. Pure.
import type { InputSpec, NumberInput } from '@penstock/pricing';

interface Range {
  readonly from: number;
  readonly to: number;
  readonly logarithmic: boolean;
}

const RANGES: Readonly<Record<string, Range>> = {
  throughput: { from: 1, to: 10_000, logarithmic: true },
  compressionRatio: { from: 1, to: 10, logarithmic: false },
  fanout: { from: 0, to: 10, logarithmic: false },
  retentionDays: { from: 0, to: 30, logarithmic: false },
  partitions: { from: 1, to: 100_000, logarithmic: true },
  peakToAverage: { from: 1, to: 5, logarithmic: false },
  standardBatchMs: { from: 50, to: 1000, logarithmic: false },
  landingBatchMs: { from: 5, to: 250, logarithmic: false },
  expressBatchMs: { from: 10, to: 250, logarithmic: false },
};
const STEPS = 1000;

export function hasSlider(spec: InputSpec): spec is NumberInput {
  return spec.kind === 'number' && RANGES[spec.key] !== undefined;
}

/** The position of a value; an end when the value is out of range or not a number. */
export function sliderOf(spec: NumberInput, text: string): number {
  const range = RANGES[spec.key];
  const value = Number(text);
  if (range === undefined || !Number.isFinite(value)) {
    return 0;
  }
  const clamped = Math.min(range.to, Math.max(range.from, value));
  const share = range.logarithmic
    ? Math.log(clamped / range.from) / Math.log(range.to / range.from)
    : (clamped - range.from) / (range.to - range.from);
  return Math.round(share * STEPS);
}

/** The value at a position, with three digits. */
export function textOfSlider(spec: NumberInput, position: number): string {
  const range = RANGES[spec.key];
  if (range === undefined) {
    return spec.default;
  }
  const share = position / STEPS;
  const value = range.logarithmic
    ? range.from * (range.to / range.from) ** share
    : range.from + (range.to - range.from) * share;
  const rounded =
    spec.integer || spec.unit === 'ms' ? Math.round(Number(value.toPrecision(3))) : Number(value.toPrecision(3));
  return String(range.logarithmic ? rounded : Math.round(rounded * 10) / 10);
}
