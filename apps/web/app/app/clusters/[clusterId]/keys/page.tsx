import type { Metadata } from 'next';
import { KeysSection } from '../../../../../features/cluster';

export const metadata: Metadata = { title: 'Agent keys' };

export default async function Page({ params }: { params: Promise<{ clusterId: string }> }) {
  const { clusterId } = await params;
  return <KeysSection clusterId={clusterId} />;
}
