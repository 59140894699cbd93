import type { Metadata } from 'next';
import { BenchmarksPage } from '../../../features/benchmarks';
import { readOwnResults } from '../../../features/benchmarks/server';

export const metadata: Metadata = {
  title: 'Benchmarks',
  description: 'Published benchmarks of streaming systems with their setup, and our own results.',
};
// Rendered per request: a benchmark may have written results since the build.
export const dynamic = 'force-dynamic';

export default async function Page() {
  return <BenchmarksPage own={await readOwnResults()} />;
}
