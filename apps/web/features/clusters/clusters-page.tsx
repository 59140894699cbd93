'use client';

import { prepareThroughput } from '@penstock/charts';
import { Badge, Button, Card, EmptyState, SkeletonRows } from '@penstock/ui';
import { formatByteRate } from '@penstock/units';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Layers, Plus } from 'lucide-react';
import { useState } from 'react';
import { locationText } from '../../lib/cloud';
import { clusterHealth } from '../../lib/live';
import { clusterPath } from '../../lib/routes';
import { useMay } from '../../lib/session';
import { type Column, DataTable } from '../../lib/table';
import { FailureNotice, type RouterOutputs, useTRPC } from '../../lib/trpc';
import { type Judged, shownVerdict, VerdictBadge } from '../health';
import { OrganizationThroughput } from '../metrics';
import { IntentLink, PageHeader } from '../shell';
import { CreateClusterDialog } from './create-cluster-dialog';
import { DeletedClusters } from './deleted-clusters';

const STATE_REFRESH_MS = 10_000;

type Cluster = RouterOutputs['cluster']['list'][number];
type Summary = RouterOutputs['cluster']['summary'];

export function ClustersPage() {
  const trpc = useTRPC();
  const mayCreate = useMay()('cluster:write');
  // A program or another member may create a cluster meanwhile.
  const clusters = useQuery({ ...trpc.cluster.list.queryOptions(), refetchInterval: STATE_REFRESH_MS });
  const [isCreating, setIsCreating] = useState(false);
  const createButton = (
    <Button variant="primary" onClick={() => setIsCreating(true)}>
      <Plus aria-hidden />
      Create cluster
    </Button>
  );
  const isEmpty = clusters.data?.length === 0;
  return (
    <>
      <PageHeader
        title="Clusters"
        description="Kafka-compatible clusters that store their records in your bucket."
        {...(isEmpty || !mayCreate ? {} : { actions: createButton })}
      />
      <div className="flex flex-col gap-6">
        <Card flush>
          {clusters.data !== undefined ? (
            isEmpty && !mayCreate ? (
              <EmptyState icon={<Layers />} title="No clusters yet">
                Ask an owner or admin of your organization to create one.
              </EmptyState>
            ) : isEmpty ? (
              <EmptyState icon={<Layers />} title="Create your first cluster" action={createButton}>
                A virtual cluster holds topics and offsets. It has no servers of its own. After you create it, you’ll
                start an agent in your account with a command from the cluster page.
              </EmptyState>
            ) : (
              <ClusterTable clusters={clusters.data} />
            )
          ) : clusters.error !== null ? (
            <div className="p-4">
              <FailureNotice error={clusters.error} onRetry={() => void clusters.refetch()} />
            </div>
          ) : (
            <SkeletonRows rows={3} label="Loading clusters" />
          )}
        </Card>
        {clusters.data === undefined || isEmpty ? null : <OrganizationThroughput />}
        <DeletedClusters />
      </div>
      <CreateClusterDialog open={isCreating} onClose={() => setIsCreating(false)} />
    </>
  );
}

/** A cluster with the state that its owner reports, and its health once that is known. */
interface ClusterRow {
  cluster: Cluster;
  summary: Summary | undefined;
  isAsking: boolean;
  health: Judged | undefined;
  latest: { inRate: number | null; outRate: number | null } | null | undefined;
}

function ClusterTable({ clusters }: { clusters: readonly Cluster[] }) {
  const trpc = useTRPC();
  const levels = useQuery({ ...trpc.health.levels.queryOptions(), refetchInterval: STATE_REFRESH_MS });
  const summaries = useQueries({
    queries: clusters.map(({ id }) => ({
      ...trpc.cluster.summary.queryOptions({ clusterId: id }),
      refetchInterval: STATE_REFRESH_MS,
    })),
  });
  const throughputs = useQueries({
    queries: clusters.map(({ id }) => ({
      ...trpc.cluster.throughput.queryOptions({ clusterId: id }),
      refetchInterval: STATE_REFRESH_MS,
    })),
  });
  const rows = clusters.map((cluster, index): ClusterRow => {
    const summary = summaries[index]?.data;
    const throughput = throughputs[index]?.data;
    return {
      cluster,
      summary,
      isAsking: summaries[index]?.error === null,
      health: levels.data?.find(({ clusterId }) => clusterId === cluster.id),
      latest:
        throughput === undefined || summary === undefined
          ? undefined
          : prepareThroughput(throughput, summary.atMs).latest,
    };
  });
  return (
    <DataTable
      label="Clusters"
      noun="cluster"
      address=""
      filterBy="name"
      rows={rows}
      rowKey={({ cluster }) => cluster.id}
      columns={COLUMNS}
    />
  );
}

const COLUMNS: readonly Column<ClusterRow>[] = [
  {
    key: 'name',
    header: 'Name',
    stack: 'title',
    className: 'min-w-40',
    value: ({ cluster }) => cluster.name,
    search: 'value',
    cell: ({ cluster }) => (
      <IntentLink
        href={clusterPath(cluster.id)}
        className="rounded font-medium text-ink underline-offset-4 hover:underline"
      >
        {cluster.name}
      </IntentLink>
    ),
  },
  {
    key: 'state',
    header: 'State',
    stack: 'aside',
    cell: ({ summary, health, isAsking }) =>
      summary === undefined ? (
        <UnknownState isAsking={isAsking} />
      ) : (
        <VerdictBadge verdict={shownVerdict(health, clusterHealth(summary))} />
      ),
  },
  {
    key: 'in',
    header: 'In, last 10 s',
    label: 'In',
    numeric: true,
    value: ({ latest }) => latest?.inRate ?? null,
    cell: ({ latest }) => rateText(latest?.inRate),
  },
  {
    key: 'out',
    header: 'Out, last 10 s',
    label: 'Out',
    numeric: true,
    value: ({ latest }) => latest?.outRate ?? null,
    cell: ({ latest }) => rateText(latest?.outRate),
  },
  {
    key: 'agents',
    header: 'Agents',
    label: 'Agents',
    numeric: true,
    value: ({ summary }) => summary?.agents.alive ?? null,
  },
  { key: 'topics', header: 'Topics', label: 'Topics', numeric: true, value: ({ summary }) => summary?.topics ?? null },
  {
    key: 'location',
    header: 'Location',
    className: 'whitespace-nowrap',
    value: ({ cluster }) => locationText(cluster),
  },
];

function rateText(rate: number | null | undefined): string {
  if (rate === null || rate === undefined) {
    return '–';
  }
  const { value, unit } = formatByteRate(rate);
  return `${value} ${unit}`;
}

function UnknownState({ isAsking }: { isAsking: boolean }) {
  return isAsking ? <Badge>Checking…</Badge> : <Badge tone="warn">State unknown</Badge>;
}
