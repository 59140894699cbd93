import type { Metadata } from 'next';
import { AgentSection } from '../../../../../../features/agents';

export const metadata: Metadata = { title: 'Agent' };

interface PageProps {
  params: Promise<{ clusterId: string; agentId: string }>;
}

export default async function Page({ params }: PageProps) {
  const { clusterId, agentId } = await params;
  return <AgentSection clusterId={clusterId} agentId={decodeURIComponent(agentId)} />;
}
