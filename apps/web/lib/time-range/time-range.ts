// The time range of a page, read from its URL. Pure.

import { DAY_MS, MINUTE_MS } from '@penstock/units';

export type PresetName = '15m' | '1h' | '6h' | '24h' | '7d' | '30d';

/** The presets, in minutes. */
export const presets: readonly { name: PresetName; label: string; lengthMs: number }[] = [
  { name: '15m', label: '15 min', lengthMs: 15 * MINUTE_MS },
  { name: '1h', label: '1 h', lengthMs: 60 * MINUTE_MS },
  { name: '6h', label: '6 h', lengthMs: 360 * MINUTE_MS },
  { name: '24h', label: '24 h', lengthMs: DAY_MS },
  { name: '7d', label: '7 d', lengthMs: 7 * DAY_MS },
  { name: '30d', label: '30 d', lengthMs: 30 * DAY_MS },
];

/** Relative to now, or fixed. */
export type TimeRange = { kind: 'last'; name: PresetName } | { kind: 'between'; startMs: number; endMs: number };

export interface Window {
  startMs: number;
  endMs: number;
}

const DEFAULT_RANGE: TimeRange = { kind: 'last', name: '1h' };
/** Twelve of the finest slots. */
const SHORTEST_MS = 2 * MINUTE_MS;
/** The longest retention of any metric. */
const LONGEST_MS = 400 * DAY_MS;
/** The finest slot. Windows start and end on slot boundaries, so that pages open at the same time send the same requests. */
const SLOT_MS = 10_000;
const SLOTS_PER_CHART = 360;

/** Reads a range from the URL; invalid values mean the last hour. */
export function parseTimeRange(parameters: URLSearchParams): TimeRange {
  const [startMs, endMs] = [Date.parse(parameters.get('from') ?? ''), Date.parse(parameters.get('to') ?? '')];
  if (startMs < endMs && endMs - startMs <= LONGEST_MS) {
    return { kind: 'between', startMs, endMs };
  }
  const preset = presets.find(({ name }) => name === parameters.get('range'));
  return preset === undefined ? DEFAULT_RANGE : { kind: 'last', name: preset.name };
}

/** The URL's parameters with this range; other parameters stay. */
export function withTimeRange(parameters: URLSearchParams, range: TimeRange): URLSearchParams {
  const next = new URLSearchParams(parameters);
  for (const name of ['range', 'from', 'to']) {
    next.delete(name);
  }
  if (range.kind === 'last') {
    next.set('range', range.name);
  } else {
    next.set('from', new Date(range.startMs).toISOString());
    next.set('to', new Date(range.endMs).toISOString());
  }
  return next;
}

/** How often a range that ends now is fetched: once per point of its charts. */
export function refreshMsOf(range: TimeRange): number {
  return range.kind === 'last' ? Math.max(SLOT_MS, slotsUp(lengthOf(range.name) / SLOTS_PER_CHART)) : SLOT_MS;
}

/** The start and end of a range at a moment. */
export function windowOf(range: TimeRange, nowMs: number): Window {
  if (range.kind === 'between') {
    return { startMs: range.startMs, endMs: range.endMs };
  }
  const refreshMs = refreshMsOf(range);
  const endMs = Math.floor(nowMs / refreshMs) * refreshMs;
  return { startMs: endMs - lengthOf(range.name), endMs };
}

/** A picked range: no shorter than the charts can resolve, and not in the future. */
export function zoomedTo({ startMs, endMs }: Window, nowMs: number): TimeRange {
  const lengthMs = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, endMs - startMs));
  const end = Math.min(nowMs, (startMs + endMs + lengthMs) / 2);
  return {
    kind: 'between',
    startMs: Math.floor((end - lengthMs) / SLOT_MS) * SLOT_MS,
    endMs: Math.ceil(end / SLOT_MS) * SLOT_MS,
  };
}

function lengthOf(name: PresetName): number {
  return presets.find((preset) => preset.name === name)?.lengthMs ?? 60 * MINUTE_MS;
}

function slotsUp(ms: number): number {
  return Math.ceil(ms / SLOT_MS) * SLOT_MS;
}
