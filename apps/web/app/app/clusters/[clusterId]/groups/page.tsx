import type { Metadata } from 'next';
import { GroupsSection } from '../../../../../features/cluster';
import { Prefetched } from '../../../../../server/prefetched';

export const metadata: Metadata = { title: 'Consumer groups' };

export default async function Page({ params }: { params: Promise<{ clusterId: string }> }) {
  const { clusterId } = await params;
  return (
    <Prefetched
      queries={(queries, trpc) => Promise.all([queries.prefetchQuery(trpc.cluster.groups.queryOptions({ clusterId }))])}
    >
      <GroupsSection clusterId={clusterId} />
    </Prefetched>
  );
}
