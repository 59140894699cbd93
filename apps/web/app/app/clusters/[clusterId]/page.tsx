import type { Metadata } from 'next';
import { OverviewSection } from '../../../../features/cluster';
import { Prefetched } from '../../../../server/prefetched';

export const metadata: Metadata = { title: 'Overview' };

export default async function Page({ params }: { params: Promise<{ clusterId: string }> }) {
  const { clusterId } = await params;
  return (
    <Prefetched
      queries={(queries, trpc) =>
        Promise.all([
          queries.prefetchQuery(trpc.cluster.throughput.queryOptions({ clusterId })),
          queries.prefetchQuery(trpc.usage.monthToDate.queryOptions({ clusterId })),
        ])
      }
    >
      <OverviewSection clusterId={clusterId} />
    </Prefetched>
  );
}
