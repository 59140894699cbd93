'use client';

import { formatNanoUsd, nanosOf } from '@penstock/charts';
import { Skeleton } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../../lib/session';
import { useTRPC } from '../../../lib/trpc';
import { IntentLink } from '../../shell';

/** The ledger is updated every ten seconds; cost changes more slowly. */
const REFRESH_MS = 60_000;

/** The cluster's cost this month, writes and cluster minutes together, for roles that may see costs. */
export function CostSoFar({ clusterId }: { clusterId: string }) {
  const trpc = useTRPC();
  const mayRead = useMay()('billing:read');
  const month = useQuery({
    ...trpc.billing.monthByDay.queryOptions(),
    enabled: mayRead,
    refetchInterval: REFRESH_MS,
  });
  if (!mayRead) {
    return null;
  }
  if (month.data === undefined) {
    return month.error === null ? <Skeleton className="mt-0.5 h-4 w-32" /> : null;
  }
  const days = month.data.clusters.find((cluster) => cluster.clusterId === clusterId)?.costUsd ?? [];
  const nanos = days.reduce((sum, day) => sum + nanosOf(day), 0n);
  return (
    <IntentLink
      href="/app/billing"
      className="block rounded font-medium text-accent-ink underline-offset-4 hover:underline"
      data-testid="cost-so-far"
    >
      Cluster cost so far: <span className="whitespace-nowrap">{formatNanoUsd(nanos)}</span>
    </IntentLink>
  );
}
