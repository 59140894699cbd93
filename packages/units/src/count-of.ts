import { formatCount } from './time.ts';

/** How much of a list is shown: `3 of 12 topics`, and `12 topics` when all are. */
export function formatPartOf(shown: number, total: number, singular: string, plural?: string): string {
  const all = formatCountOf(total, singular, plural);
  return shown === total ? all : `${formatCount(shown)} of ${all}`;
}

/** `1 topic`, `2 topics`, `0 topics`. Without an explicit plural, appends an s. */
export function formatCountOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}
