import type { Metadata } from 'next';
import { GroupsSection } from '../../../../../features/cluster';

export const metadata: Metadata = { title: 'Consumer groups' };

export default async function Page({ params }: { params: Promise<{ clusterId: string }> }) {
  const { clusterId } = await params;
  return <GroupsSection clusterId={clusterId} />;
}
