// Chooses the roll-up level and step for a time range.
import { AppError } from '@penstock/platform';
import { LATEST_REPORT_MS, type Level, levelFacts, levelFor, type SeriesRange, stepMsFor } from '@penstock/telemetry';

export const DEFAULT_MAX_POINTS = 360;
export const GREATEST_MAX_POINTS = 1_000;
/** The limit per query. A sample is about a kilobyte. */
const MAX_SAMPLES = 20_000;
/** A step may combine several slots of a finer level, so that a day's percentiles need not be those of whole hours. */
const SLOTS_PER_POINT = 6;
/** Leaves out the newest slot until its reports should have arrived. */
const SETTLING_MS = 12_000;

export interface AskedRange {
  fromMs: number;
  toMs: number;
  /** The maximum number of steps; 360 by default. */
  maxPoints?: number | undefined;
  /** Samples read per slot. */
  lines: number;
}

export interface ChosenRange extends SeriesRange {
  level: Level;
}

/**
 * Aligns the range to whole steps and ends it before reports that may still arrive.
 * @throws AppError `range_invalid`
 */
export function chooseRange(
  { fromMs, toMs, maxPoints = DEFAULT_MAX_POINTS, lines }: AskedRange,
  nowMs: number,
): ChosenRange {
  if (!(fromMs < toMs)) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'range_invalid',
      field: 'fromMs',
      message: 'The time range ends before it starts.',
      remedy: 'Choose a start before the end.',
    });
  }
  const maxSlots = Math.max(1, Math.min(maxPoints * SLOTS_PER_POINT, Math.floor(MAX_SAMPLES / lines)));
  const points = Math.min(maxPoints, GREATEST_MAX_POINTS, maxSlots);
  const level = levelFor(fromMs, toMs, nowMs, maxSlots);
  const stepMs = stepMsFor(level, fromMs, toMs, points);
  const startMs =
    Math.floor(Math.max(fromMs, nowMs - levelFacts['1h'].retentionMs - LATEST_REPORT_MS) / stepMs) * stepMs;
  const endMs = Math.min(toMs, nowMs - SETTLING_MS);
  return { level, startMs, stepMs, steps: Math.max(0, Math.floor((endMs - startMs) / stepMs)) };
}

/** The range contains more samples than one query may read. */
export function rangeTooWide(): AppError {
  return new AppError({
    kind: 'invalid-input',
    code: 'range_invalid',
    field: 'fromMs',
    message: 'The time range is too long for this resolution.',
    remedy: 'Choose a shorter range, or fewer points.',
  });
}
