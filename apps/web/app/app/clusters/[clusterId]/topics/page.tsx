import type { Metadata } from 'next';
import { TopicsSection } from '../../../../../features/cluster';

export const metadata: Metadata = { title: 'Topics' };

export default async function Page({ params }: { params: Promise<{ clusterId: string }> }) {
  const { clusterId } = await params;
  return <TopicsSection clusterId={clusterId} />;
}
