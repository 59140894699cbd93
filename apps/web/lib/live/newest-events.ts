// Merges newer events into the pages of the event log that are already loaded. Pure.
import type { InfiniteData } from '@tanstack/react-query';
import type { RouterOutputs } from '../trpc';

export type EventPage = RouterOutputs['health']['events'];
export type EventPages = InfiniteData<EventPage, string | null>;

/**
 * The log with its newest page put in front. Older loaded pages stay below it if there is no gap. If too many events arrived for that, the
 * log starts over.
 */
export function withNewest(before: EventPages, newest: EventPage): EventPages {
  const [first, ...older] = before.pages;
  const known = new Set(first?.events.map(({ id }) => id));
  const isWhole = newest.nextCursor === null;
  if (first === undefined || older.length === 0 || isWhole || !newest.events.some(({ id }) => known.has(id))) {
    return { pages: [newest], pageParams: before.pageParams.slice(0, 1) };
  }
  const ofNewest = new Set(newest.events.map(({ id }) => id));
  const events = [...newest.events, ...first.events.filter(({ id }) => !ofNewest.has(id))];
  return { ...before, pages: [{ ...first, events }, ...older] };
}
