import type { Metadata } from 'next';
import { ConnectSection } from '../../../../../features/cluster';

export const metadata: Metadata = { title: 'Connect' };

export default async function Page({ params }: { params: Promise<{ clusterId: string }> }) {
  const { clusterId } = await params;
  return <ConnectSection clusterId={clusterId} />;
}
