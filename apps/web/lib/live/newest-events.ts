// The event log as a page has it, page after page into the past, when newer events come. Pure.
import type { InfiniteData } from '@tanstack/react-query';
import type { RouterOutputs } from '../trpc';

export type EventPage = RouterOutputs['health']['events'];
export type EventPages = InfiniteData<EventPage, string | null>;

/**
 * The log with its newest page put in front. Older pages that were read stay below it without a hole; when so much came at once that
 * there would be one, the log begins anew.
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
