import type { Metadata } from 'next';
import { PublishedPage } from '../../../../features/published';

export const metadata: Metadata = {
  title: 'Published figures, recomputed',
  description: 'Every derived figure of five published cost analyses, beside what its own formula gives.',
};

export default function Page() {
  return <PublishedPage />;
}
