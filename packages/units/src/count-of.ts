import { formatCount } from './time.ts';

/** `1 topic`, `2 topics`, `0 topics`. The plural is the singular with an s when none is given. */
export function formatCountOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}
