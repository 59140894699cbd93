'use client';

import { prepareThroughput } from '@penstock/charts';
import { Card, EmptyState, Skeleton, Stat } from '@penstock/ui';
import { formatByteRate, formatBytes, formatCount, formatCountOf } from '@penstock/units';
import { useQuery } from '@tanstack/react-query';
import { Activity } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useMemo } from 'react';
import { clusterHealth, useLiveSummary, useLiveThroughput } from '../../../lib/live';
import { clusterPath } from '../../../lib/routes';
import { Ago, useNow } from '../../../lib/time';
import { FailureNotice, useTRPC } from '../../../lib/trpc';
import { HealthCard } from '../../health';
import { IntentLink } from '../../shell';
import { CostSoFar } from './cost-so-far';
import { OtherSystems } from './other-systems';

const METERING_REFRESH_MS = 10_000;
const CHART_STEP_MS = 10_000;

/** Draws in the reader's time zone, which the server does not know. */
const ThroughputChart = dynamic(
  () => import('@penstock/charts/throughput-chart').then((chart) => chart.ThroughputChart),
  {
    ssr: false,
    loading: () => <Skeleton className="h-72 rounded-lg" />,
  },
);

export function OverviewSection({ clusterId }: { clusterId: string }) {
  const summary = useLiveSummary();
  const throughput = useLiveThroughput();
  const nowMs = useNow();
  // The chart advances once per interval, not every second.
  const chartEndMs = Math.floor(nowMs / CHART_STEP_MS) * CHART_STEP_MS;
  const summaryAtMs = summary?.atMs;
  const chart = useMemo(
    () => prepareThroughput(throughput ?? [], Math.max(chartEndMs, summaryAtMs ?? 0), summaryAtMs),
    [throughput, summaryAtMs, chartEndMs],
  );

  if (summary === null || throughput === null) {
    return <OverviewSkeleton />;
  }
  const rate = (value: number | null | undefined) => formatByteRate(value ?? 0);
  return (
    <div className="flex flex-col gap-4">
      <HealthCard clusterId={clusterId} live={clusterHealth(summary)} />
      <dl className="grid grid-cols-2 divide-line overflow-hidden rounded-xl border border-line bg-surface shadow-raised max-lg:[&>*:nth-child(n+3)]:border-t lg:grid-cols-4 lg:divide-x [&>*:nth-child(even)]:max-lg:border-l">
        <Stat
          label="In, last 10 s"
          value={rate(chart.latest?.inRate).value}
          unit={rate(chart.latest?.inRate).unit}
          note="acknowledged, stored size"
        />
        <Stat
          label="Out, last 10 s"
          value={rate(chart.latest?.outRate).value}
          unit={rate(chart.latest?.outRate).unit}
          note="fetched by clients"
        />
        <MeteredStat clusterId={clusterId} />
        <Stat
          label="Agents alive"
          value={formatCount(summary.agents.alive)}
          note={`${formatCountOf(summary.topics, 'topic')}, ${formatCountOf(summary.partitions, 'partition')}, lag ${formatCountOf(summary.lagRecords, 'record')}`}
        />
      </dl>
      <Card
        title="Throughput"
        description={`Last ${chart.windowMinutes} minutes, all agents, one point every 10 seconds.`}
      >
        {chart.measured ? (
          <ThroughputChart data={chart} />
        ) : (
          <EmptyState icon={<Activity />} title="No traffic yet">
            The chart starts when an agent acknowledges the first record. To send one, use a command from the{' '}
            <IntentLink
              href={clusterPath(clusterId, 'connect')}
              className="font-medium text-accent-ink underline underline-offset-4"
            >
              Connect page
            </IntentLink>
            .
          </EmptyState>
        )}
      </Card>
      <OtherSystems clusterId={clusterId} />
    </div>
  );
}

function MeteredStat({ clusterId }: { clusterId: string }) {
  const trpc = useTRPC();
  const usage = useQuery({
    ...trpc.usage.monthToDate.queryOptions({ clusterId }),
    refetchInterval: METERING_REFRESH_MS,
  });
  if (usage.data === undefined) {
    return usage.error === null ? (
      <Stat label="Written this month (UTC)" value={<Skeleton className="h-8 w-24" />} />
    ) : (
      <div className="p-4">
        <FailureNotice error={usage.error} onRetry={() => void usage.refetch()} />
      </div>
    );
  }
  const metered = formatBytes(usage.data.uncompressedBytes);
  return (
    <Stat
      label="Written this month (UTC)"
      value={
        <span data-testid="metered" data-bytes={String(usage.data.uncompressedBytes)}>
          {metered.value}
        </span>
      }
      unit={metered.unit}
      note={
        <>
          before compression, updated <Ago timeMs={usage.data.countedUntil.getTime()} />
          <CostSoFar clusterId={clusterId} />
        </>
      }
    />
  );
}

function OverviewSkeleton() {
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-4">
      <span className="sr-only">Loading cluster state</span>
      <Skeleton className="h-5 w-64" />
      <div className="grid grid-cols-2 gap-px lg:grid-cols-4">
        {['in', 'out', 'metered', 'agents'].map((name) => (
          <Skeleton key={name} className="h-28" />
        ))}
      </div>
      <Skeleton className="h-80 rounded-xl" />
    </div>
  );
}
