// Keeps a search in this tab while the page reloads. It does not travel in the URL, because a key may be confidential.
import { z } from 'zod';
import { type Draft, draftSchema } from './question';

const STORAGE_KEY = 'penstock-search';
/** Later, nobody expects the search to begin by itself. */
const LONGEST_RELOAD_MS = 60_000;

const keptSchema = z.object({ topicId: z.string(), keptAtMs: z.number(), draft: draftSchema });

/** Reloads the page, which then takes the search from here. */
export function reloadToRepeat(topicId: string, draft: Draft): void {
  window.sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ topicId, keptAtMs: Date.now(), draft }));
  window.location.reload();
}

/** The search that was kept for this topic within the last minute, once. Null when there is none. */
export function takeKeptSearch(topicId: string): Draft | null {
  const text = window.sessionStorage.getItem(STORAGE_KEY);
  if (text === null) {
    return null;
  }
  window.sessionStorage.removeItem(STORAGE_KEY);
  const kept = keptSchema.safeParse(JSON.parse(text));
  if (!kept.success || kept.data.topicId !== topicId || Date.now() - kept.data.keptAtMs > LONGEST_RELOAD_MS) {
    return null;
  }
  return kept.data.draft;
}
