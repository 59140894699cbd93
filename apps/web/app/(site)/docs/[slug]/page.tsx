import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { type DocsEntry, DocsPage, entryOf, FIRST_SLUG } from '../../../../features/docs';

interface Props {
  params: Promise<{ slug: string }>;
}

async function entryFrom({ params }: Props): Promise<DocsEntry | undefined> {
  const { slug } = await params;
  // The first page is served at /docs only.
  return slug === FIRST_SLUG ? undefined : entryOf(slug);
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const entry = await entryFrom(props);
  return entry === undefined ? {} : { title: entry.title, description: entry.description };
}

export default async function Page(props: Props) {
  const entry = await entryFrom(props);
  if (entry === undefined) {
    // The proxy never routes an unknown slug here.
    notFound();
  }
  return <DocsPage entry={entry} />;
}
