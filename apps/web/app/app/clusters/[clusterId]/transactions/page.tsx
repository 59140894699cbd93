import type { Metadata } from 'next';
import { TransactionsSection } from '../../../../../features/cluster';
import { Prefetched } from '../../../../../server/prefetched';

export const metadata: Metadata = { title: 'Transactions' };

export default async function Page({ params }: { params: Promise<{ clusterId: string }> }) {
  const { clusterId } = await params;
  return (
    <Prefetched
      queries={(queries, trpc) =>
        Promise.all([queries.prefetchQuery(trpc.transaction.list.queryOptions({ clusterId }))])
      }
    >
      <TransactionsSection clusterId={clusterId} />
    </Prefetched>
  );
}
