import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { ClusterFrame } from '../../../../features/cluster';
import { Prefetched } from '../../../../server/prefetched';

export const metadata: Metadata = { title: 'Cluster' };

interface LayoutProps {
  children: ReactNode;
  params: Promise<{ clusterId: string }>;
}

export default async function ClusterLayout({ children, params }: LayoutProps) {
  const { clusterId } = await params;
  return (
    <Prefetched
      queries={(queries, trpc) =>
        Promise.all([
          queries.prefetchQuery(trpc.cluster.get.queryOptions({ clusterId })),
          queries.prefetchQuery(trpc.cluster.summary.queryOptions({ clusterId })),
          queries.prefetchQuery(trpc.health.get.queryOptions({ clusterId })),
        ])
      }
    >
      <ClusterFrame clusterId={clusterId}>{children}</ClusterFrame>
    </Prefetched>
  );
}
