import type { Metadata } from 'next';
import { MetricsSection } from '../../../../../features/metrics';

export const metadata: Metadata = { title: 'Metrics' };

export default async function Page({ params }: { params: Promise<{ clusterId: string }> }) {
  const { clusterId } = await params;
  return <MetricsSection clusterId={clusterId} />;
}
