import type { Metadata } from 'next';
import { ClientsSection } from '../../../../../features/clients';
import { parseTimeRange, windowOf } from '../../../../../lib/time-range';
import { Prefetched } from '../../../../../server/prefetched';

export const metadata: Metadata = { title: 'Clients' };

interface PageProps {
  params: Promise<{ clusterId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const { clusterId } = await params;
  const single = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  const range = parseTimeRange(new URLSearchParams(single));
  return (
    <Prefetched
      queries={async (queries, trpc) => {
        const { atMs } = await queries.ensureQueryData(trpc.cluster.summary.queryOptions({ clusterId }));
        const { startMs, endMs } = windowOf(range, atMs);
        await queries.prefetchQuery(trpc.telemetry.clients.queryOptions({ clusterId, fromMs: startMs, toMs: endMs }));
      }}
    >
      <ClientsSection clusterId={clusterId} />
    </Prefetched>
  );
}
