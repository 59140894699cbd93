'use client';

import { prepareThroughput, ThroughputChart } from '@penstock/charts';
import { Card, EmptyState, Skeleton, Stat } from '@penstock/ui';
import { formatByteRate, formatCount, formatCountOf, formatGib } from '@penstock/units';
import { useQuery } from '@tanstack/react-query';
import { Activity } from 'lucide-react';
import Link from 'next/link';
import { useMemo } from 'react';
import { HealthCard } from '../../health';
import { clusterPath } from '../../routes';
import { Ago, useNow } from '../../time';
import { FailureNotice, useTRPC } from '../../trpc';
import { useLiveCluster } from '../live/live-cluster';
import { clusterHealth } from '../live/summaries';
import { CostSoFar } from './cost-so-far';

const METERING_REFRESH_MS = 10_000;
const CHART_STEP_MS = 10_000;

export function OverviewSection({ clusterId }: { clusterId: string }) {
  const { view } = useLiveCluster();
  const nowMs = useNow();
  // The chart moves on when a new interval begins, not every second.
  const chartEndMs = Math.floor(nowMs / CHART_STEP_MS) * CHART_STEP_MS;
  const chart = useMemo(
    () => prepareThroughput(view?.throughput ?? [], Math.max(chartEndMs, view?.atMs ?? 0), view?.atMs),
    [view, chartEndMs],
  );

  if (view === null) {
    return <OverviewSkeleton />;
  }
  const alive = view.agents.filter((agent) => agent.alive).length;
  const rate = (value: number | null | undefined) => formatByteRate(value ?? 0);
  const lag = view.groups.reduce((sum, group) => sum + group.totalLagRecords, 0);
  const partitions = view.topics.reduce((sum, topic) => sum + topic.partitions.length, 0);
  return (
    <div className="flex flex-col gap-4">
      <HealthCard clusterId={clusterId} live={clusterHealth(view)} />
      <dl className="grid grid-cols-2 divide-line overflow-hidden rounded-xl border border-line bg-surface shadow-raised max-lg:[&>*:nth-child(n+3)]:border-t lg:grid-cols-4 lg:divide-x [&>*:nth-child(even)]:max-lg:border-l">
        <Stat
          label="In, latest 10 s"
          value={rate(chart.latest?.inRate).value}
          unit={rate(chart.latest?.inRate).unit}
          note="acknowledged, as stored"
        />
        <Stat
          label="Out, latest 10 s"
          value={rate(chart.latest?.outRate).value}
          unit={rate(chart.latest?.outRate).unit}
          note="fetched by clients"
        />
        <MeteredStat clusterId={clusterId} />
        <Stat
          label="Agents alive"
          value={formatCount(alive)}
          note={`${formatCountOf(view.topics.length, 'topic')}, ${formatCountOf(partitions, 'partition')}, lag ${formatCountOf(lag, 'record')}`}
        />
      </dl>
      <Card
        title="Throughput"
        description={`Last ${chart.windowMinutes} minutes, one point per 10 s, all agents together.`}
      >
        {chart.measured ? (
          <ThroughputChart data={chart} />
        ) : (
          <EmptyState icon={<Activity />} title="No traffic measured yet">
            The chart starts with the first record that an agent acknowledges. The{' '}
            <Link
              href={clusterPath(clusterId, 'connect')}
              className="font-medium text-accent-ink underline underline-offset-4"
            >
              Connect section
            </Link>{' '}
            has a command for it.
          </EmptyState>
        )}
      </Card>
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
      <Stat label="Metered this month" value={<Skeleton className="h-8 w-24" />} />
    ) : (
      <div className="p-4">
        <FailureNotice error={usage.error} onRetry={() => void usage.refetch()} />
      </div>
    );
  }
  const metered = formatGib(usage.data.uncompressedBytes);
  return (
    <Stat
      label="Metered this month (UTC)"
      value={<span data-testid="metered-gib">{metered.value}</span>}
      unit={metered.unit}
      note={
        <>
          uncompressed, counted until <Ago timeMs={usage.data.countedUntil.getTime()} />
          <CostSoFar clusterId={clusterId} />
        </>
      }
    />
  );
}

function OverviewSkeleton() {
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-4">
      <span className="sr-only">Loading the cluster’s state</span>
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
