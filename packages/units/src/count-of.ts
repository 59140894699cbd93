import { formatCount } from './time.ts';

/** `1 topic`, `2 topics`, `0 topics`. Without an explicit plural, appends an s. */
export function formatCountOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}
