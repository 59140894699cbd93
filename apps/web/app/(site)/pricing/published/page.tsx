import type { Metadata } from 'next';
import { PublishedPage } from '../../../../features/published';

export const metadata: Metadata = {
  title: 'Published figures, recomputed',
  description: 'Every derived figure in five published cost analyses, next to the result of its own formula.',
};

export default function Page() {
  return <PublishedPage />;
}
