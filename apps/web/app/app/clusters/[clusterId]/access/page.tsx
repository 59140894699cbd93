import type { Metadata } from 'next';
import { AccessSection } from '../../../../../features/cluster';

export const metadata: Metadata = { title: 'Access' };

export default async function Page({ params }: { params: Promise<{ clusterId: string }> }) {
  const { clusterId } = await params;
  return <AccessSection clusterId={clusterId} />;
}
