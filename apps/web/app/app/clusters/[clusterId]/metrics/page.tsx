import type { Metadata } from 'next';
import { MetricsSection, metricsQuestion, toMetricsBy } from '../../../../../features/metrics';
import { parseTimeRange, windowOf } from '../../../../../lib/time-range';
import { Prefetched } from '../../../../../server/prefetched';

export const metadata: Metadata = { title: 'Metrics' };

interface PageProps {
  params: Promise<{ clusterId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const { clusterId } = await params;
  const single = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  const address = new URLSearchParams(single);
  const by = toMetricsBy(address.get('by'));
  return (
    <Prefetched
      queries={async (queries, trpc) => {
        // The browser chooses which agents to chart.
        if (by === 'agent') {
          return;
        }
        const { atMs } = await queries.ensureQueryData(trpc.cluster.summary.queryOptions({ clusterId }));
        const window = windowOf(parseTimeRange(address), atMs);
        await queries.prefetchQuery(trpc.telemetry.metrics.queryOptions(metricsQuestion(clusterId, window, by)));
      }}
    >
      <MetricsSection clusterId={clusterId} />
    </Prefetched>
  );
}
