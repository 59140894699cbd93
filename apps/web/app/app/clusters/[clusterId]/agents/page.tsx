import type { Metadata } from 'next';
import { AgentsSection } from '../../../../../features/agents';
import { Prefetched } from '../../../../../server/prefetched';

export const metadata: Metadata = { title: 'Agents' };

export default async function Page({ params }: { params: Promise<{ clusterId: string }> }) {
  const { clusterId } = await params;
  return (
    <Prefetched
      queries={(queries, trpc) => Promise.all([queries.prefetchQuery(trpc.cluster.agents.queryOptions({ clusterId }))])}
    >
      <AgentsSection clusterId={clusterId} />
    </Prefetched>
  );
}
