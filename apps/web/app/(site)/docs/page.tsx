import type { Metadata } from 'next';
import { DocsPage, entryOf, FIRST_SLUG } from '../../../features/docs';

const entry = entryOf(FIRST_SLUG);

export const metadata: Metadata = { title: entry?.title ?? '', description: entry?.description ?? '' };

export default function Page() {
  return entry === undefined ? null : <DocsPage entry={entry} />;
}
