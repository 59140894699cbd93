import type { Metadata } from 'next';
import { OverviewSection } from '../../../../features/cluster';

export const metadata: Metadata = { title: 'Overview' };

export default async function Page({ params }: { params: Promise<{ clusterId: string }> }) {
  const { clusterId } = await params;
  return <OverviewSection clusterId={clusterId} />;
}
