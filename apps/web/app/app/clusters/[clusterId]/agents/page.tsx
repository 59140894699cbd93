import type { Metadata } from 'next';
import { AgentsSection } from '../../../../../features/agents';

export const metadata: Metadata = { title: 'Agents' };

export default async function Page({ params }: { params: Promise<{ clusterId: string }> }) {
  const { clusterId } = await params;
  return <AgentsSection clusterId={clusterId} />;
}
