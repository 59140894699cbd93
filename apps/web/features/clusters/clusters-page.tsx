'use client';

import { prepareThroughput } from '@penstock/charts';
import { Badge, Button, Card, EmptyState, SkeletonRows, Table, Td, Th, Tr } from '@penstock/ui';
import { formatByteRate, formatCount } from '@penstock/units';
import { useQuery } from '@tanstack/react-query';
import { Layers, Plus } from 'lucide-react';
import { useState } from 'react';
import { locationText } from '../../lib/cloud';
import { clusterHealth } from '../../lib/live';
import { clusterPath } from '../../lib/routes';
import { useMay } from '../../lib/session';
import { FailureNotice, type RouterOutputs, useTRPC } from '../../lib/trpc';
import { type Judged, shownVerdict, VerdictBadge } from '../health';
import { OrganizationThroughput } from '../metrics';
import { IntentLink, PageHeader } from '../shell';
import { CreateClusterDialog } from './create-cluster-dialog';
import { DeletedClusters } from './deleted-clusters';

const STATE_REFRESH_MS = 10_000;

type Cluster = RouterOutputs['cluster']['list'][number];

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
      <CreateClusterDialog open={isCreating} onOpenChange={setIsCreating} />
    </>
  );
}

function ClusterTable({ clusters }: { clusters: readonly Cluster[] }) {
  const trpc = useTRPC();
  const levels = useQuery({ ...trpc.health.levels.queryOptions(), refetchInterval: STATE_REFRESH_MS });
  return (
    <Table label="Clusters" stacks>
      <thead>
        <tr>
          <Th>Name</Th>
          <Th>State</Th>
          <Th numeric>In, last 10 s</Th>
          <Th numeric>Out, last 10 s</Th>
          <Th numeric>Agents</Th>
          <Th numeric>Topics</Th>
          <Th>Location</Th>
        </tr>
      </thead>
      <tbody>
        {clusters.map((cluster) => (
          <ClusterRow
            key={cluster.id}
            cluster={cluster}
            health={levels.data?.find(({ clusterId }) => clusterId === cluster.id)}
          />
        ))}
      </tbody>
    </Table>
  );
}

/** One cluster with the state that its owner reports, and its health once that is known. */
function ClusterRow({ cluster, health }: { cluster: Cluster; health: Judged | undefined }) {
  const trpc = useTRPC();
  const summary = useQuery({
    ...trpc.cluster.summary.queryOptions({ clusterId: cluster.id }),
    refetchInterval: STATE_REFRESH_MS,
  });
  const throughput = useQuery({
    ...trpc.cluster.throughput.queryOptions({ clusterId: cluster.id }),
    refetchInterval: STATE_REFRESH_MS,
  });
  const latest =
    throughput.data === undefined || summary.data === undefined
      ? undefined
      : prepareThroughput(throughput.data, summary.data.atMs).latest;
  return (
    <Tr className="hover:bg-hover/60">
      <Td className="min-w-40" stack="title">
        <IntentLink
          href={clusterPath(cluster.id)}
          className="rounded font-medium text-ink underline-offset-4 hover:underline"
        >
          {cluster.name}
        </IntentLink>
      </Td>
      <Td stack="aside">
        {summary.data === undefined ? (
          <UnknownState isAsking={summary.error === null} />
        ) : (
          <VerdictBadge verdict={shownVerdict(health, clusterHealth(summary.data))} />
        )}
      </Td>
      <Td numeric label="In">
        {rateText(latest?.inRate)}
      </Td>
      <Td numeric label="Out">
        {rateText(latest?.outRate)}
      </Td>
      <Td numeric label="Agents">
        {summary.data === undefined ? '–' : formatCount(summary.data.agents.alive)}
      </Td>
      <Td numeric label="Topics">
        {summary.data === undefined ? '–' : formatCount(summary.data.topics)}
      </Td>
      <Td className="whitespace-nowrap">{locationText(cluster)}</Td>
    </Tr>
  );
}

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
