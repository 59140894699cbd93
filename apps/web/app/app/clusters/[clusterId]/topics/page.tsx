import type { Metadata } from 'next';
import { TopicsSection } from '../../../../../features/cluster';
import { Prefetched } from '../../../../../server/prefetched';

export const metadata: Metadata = { title: 'Topics' };

export default async function Page({ params }: { params: Promise<{ clusterId: string }> }) {
  const { clusterId } = await params;
  return (
    <Prefetched
      queries={(queries, trpc) => Promise.all([queries.prefetchQuery(trpc.cluster.topics.queryOptions({ clusterId }))])}
    >
      <TopicsSection clusterId={clusterId} />
    </Prefetched>
  );
}
