import type { Metadata } from 'next';
import { QuickStartPage } from '../../../features/docs';

export const metadata: Metadata = { title: 'Quick start' };

export default function Page() {
  return <QuickStartPage />;
}
