// The levels at which telemetry is kept: fine and briefly, coarse and long. Pure arithmetic on times in milliseconds since the Unix epoch.
import {
  DAY_MS,
  formatMonth,
  formatUtcDate,
  HOUR_MS,
  MINUTE_MS,
  monthEndMs,
  monthStartMs,
  monthStartOf,
  SECOND_MS,
} from '@penstock/units';

export const levels = ['10s', '1m', '1h'] as const;
export type Level = (typeof levels)[number];

export interface LevelFacts {
  /** Length of one slot. */
  slotMs: number;
  /** How long slots are kept at least; they go with their partition. */
  retentionMs: number;
  /** The period covered by one partition of its tables. */
  partition: 'day' | 'month';
}

export const levelFacts: Record<Level, LevelFacts> = {
  '10s': { slotMs: 10 * SECOND_MS, retentionMs: 2 * DAY_MS, partition: 'day' },
  '1m': { slotMs: MINUTE_MS, retentionMs: 30 * DAY_MS, partition: 'day' },
  '1h': { slotMs: HOUR_MS, retentionMs: 400 * DAY_MS, partition: 'month' },
};

/** A report that comes later than this after its window is refused. */
export const LATEST_REPORT_MS = HOUR_MS;

/** The beginning of the slot in which a time lies. */
export function slotStartMs(level: Level, atMs: number): number {
  const { slotMs } = levelFacts[level];
  return Math.floor(atMs / slotMs) * slotMs;
}

/**
 * When an incarnation of an agent began, aligned to the slots: its windows, ten seconds each from its own beginning, then fall into one slot
 * each, that which holds most of the window, however many milliseconds a window begins early or late.
 */
export function alignedOriginMs(originMs: number): number {
  const { slotMs } = levelFacts['10s'];
  return Math.round(originMs / slotMs) * slotMs;
}

/**
 * The slot of a window. It follows from the incarnation's aligned origin and the window alone, so that a report that is sent twice has the
 * same slot both times.
 */
export function slotOfWindowMs(alignedMs: number, startElapsedMs: number, durationMs: number): number {
  return slotStartMs('10s', alignedMs + startElapsedMs + Math.floor(durationMs / 2));
}

export interface Partition {
  /** For the end of the table's name: 20261121 or 202611. */
  suffix: string;
  fromMs: number;
  /** End of the range, exclusive. */
  toMs: number;
}

/** How far ahead partitions are made: a worker may be away for as long. */
const AHEAD_MS = 3 * DAY_MS;

/** The partitions that must be there: from the latest report that is taken to some days ahead. */
export function partitionsToHave(level: Level, nowMs: number): Partition[] {
  const partitions: Partition[] = [];
  let partition = partitionOf(level, nowMs - LATEST_REPORT_MS);
  while (partition.fromMs <= nowMs + AHEAD_MS) {
    partitions.push(partition);
    partition = partitionOf(level, partition.toMs);
  }
  return partitions;
}

/** Whether all that a partition can hold is past its time. */
export function isExpired(level: Level, suffix: string, nowMs: number): boolean {
  const day = suffix.length > 6 ? Number(suffix.slice(6, 8)) : 1;
  const startMs = monthStartOf(Number(suffix.slice(0, 4)), Number(suffix.slice(4, 6))) + (day - 1) * DAY_MS;
  return partitionOf(level, startMs).toMs <= nowMs - levelFacts[level].retentionMs;
}

/** The partition in which a slot lies. */
export function partitionOf(level: Level, atMs: number): Partition {
  if (levelFacts[level].partition === 'month') {
    return { suffix: formatMonth(atMs).replace('-', ''), fromMs: monthStartMs(atMs), toMs: monthEndMs(atMs) };
  }
  const fromMs = Math.floor(atMs / DAY_MS) * DAY_MS;
  return { suffix: formatUtcDate(atMs).replaceAll('-', ''), fromMs, toMs: fromMs + DAY_MS };
}

/** The level to query for a range: the finest that still holds all of it, in at most `maxSlots` slots. */
export function levelFor(fromMs: number, toMs: number, nowMs: number, maxSlots: number): Level {
  for (const level of levels) {
    const { slotMs, retentionMs } = levelFacts[level];
    if (fromMs >= nowMs - retentionMs && (toMs - fromMs) / slotMs <= maxSlots) {
      return level;
    }
  }
  return '1h';
}

/** The step of a chart: a whole number of the level's slots, so long that the range has at most so many points. */
export function stepMsFor(level: Level, fromMs: number, toMs: number, maxPoints: number): number {
  const { slotMs } = levelFacts[level];
  const slots = Math.max(1, Math.ceil((toMs - fromMs) / slotMs / maxPoints));
  return slots * slotMs;
}
