'use client';

import { Badge, Button, CopyButton, Skeleton } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { createContext, type ReactNode, useContext } from 'react';
import { MODE_NAMES } from '../../lib/cluster-modes';
import { ConnectionLine, clusterHealth, LiveClusterProvider, useLiveCluster, useLiveSummary } from '../../lib/live';
import { type ClusterSectionName, clusterPath } from '../../lib/routes';
import { useMay } from '../../lib/session';
import { FailureNotice, isNotFound, type RouterOutputs, toFailure, useTRPC } from '../../lib/trpc';
import { HealthBadge } from '../health';
import { IntentLink, SectionNav } from '../shell';

export type Cluster = RouterOutputs['cluster']['get'];

const SECTIONS: readonly { name: ClusterSectionName; label: string }[] = [
  { name: 'overview', label: 'Overview' },
  { name: 'metrics', label: 'Metrics' },
  { name: 'topics', label: 'Topics' },
  { name: 'groups', label: 'Consumer groups' },
  { name: 'transactions', label: 'Transactions' },
  { name: 'clients', label: 'Clients' },
  { name: 'agents', label: 'Agents' },
  { name: 'events', label: 'Events and alerts' },
  { name: 'access', label: 'Access' },
  { name: 'keys', label: 'Agent keys' },
  { name: 'connect', label: 'Connect' },
  { name: 'settings', label: 'Settings' },
];

const ClusterContext = createContext<Cluster | null>(null);

/** The cluster that these pages show. */
export function useCluster(): Cluster {
  const cluster = useContext(ClusterContext);
  if (cluster === null) {
    throw new Error('useCluster needs a <ClusterFrame> above it');
  }
  return cluster;
}

/** Header and sections of a cluster's pages. Loads the cluster and shares one live subscription among them. */
export function ClusterFrame({ clusterId, children }: { clusterId: string; children: ReactNode }) {
  const trpc = useTRPC();
  const cluster = useQuery(trpc.cluster.get.queryOptions({ clusterId }));
  if (cluster.data !== undefined) {
    return (
      <ClusterContext value={cluster.data}>
        <LiveClusterProvider clusterId={clusterId}>
          <ClusterHeader cluster={cluster.data} />
          <div className="mt-6">{children}</div>
        </LiveClusterProvider>
      </ClusterContext>
    );
  }
  if (cluster.error !== null) {
    return (
      <div className="mx-auto max-w-xl py-10">
        {isNotFound(toFailure(cluster.error), 'clusterId') ? (
          <>
            <h1 className="font-semibold text-2xl tracking-tight">Cluster not found</h1>
            <p className="mt-2 text-ink-2 leading-7">
              This organization doesn’t have this cluster. It may have been deleted, or the link may be incomplete.
            </p>
          </>
        ) : (
          <>
            <h1 className="mb-4 font-semibold text-2xl tracking-tight">We couldn’t load this cluster</h1>
            <FailureNotice error={cluster.error} onRetry={() => void cluster.refetch()} />
          </>
        )}
        <Button asChild className="mt-4">
          <IntentLink href="/app">All clusters</IntentLink>
        </Button>
      </div>
    );
  }
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-6">
      <span className="sr-only">Loading the cluster</span>
      <Skeleton className="h-9 w-56" />
      <Skeleton className="h-10 w-full max-w-xl" />
      <Skeleton className="h-64 rounded-xl" />
    </div>
  );
}

function ClusterHeader({ cluster }: { cluster: Cluster }) {
  const pathname = usePathname();
  const { refusal } = useLiveCluster();
  const summary = useLiveSummary();
  const may = useMay();
  // Every role may read the other sections.
  const sections = SECTIONS.filter(
    ({ name }) => (name !== 'keys' || may('agent-key:read')) && (name !== 'access' || may('access:read')),
  );
  return (
    <div>
      <nav aria-label="Breadcrumb" className="text-[0.8125rem] text-ink-3">
        <IntentLink href="/app" className="inline-flex items-center gap-1 rounded hover:text-ink">
          <ArrowLeft aria-hidden className="size-3.5" />
          All clusters
        </IntentLink>
      </nav>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-center gap-3">
          <h1 className="min-w-0 break-words font-semibold text-2xl text-ink tracking-tight">{cluster.name}</h1>
          {cluster.mode === 'standard' ? null : <Badge>{MODE_NAMES[cluster.mode]}</Badge>}
          {summary === null ? null : <HealthBadge clusterId={cluster.id} live={clusterHealth(summary)} />}
        </div>
        <ConnectionLine />
      </div>
      <p className="mt-1 flex items-center gap-1 text-ink-3 text-xs">
        <span className="truncate font-mono">{cluster.id}</span>
        <CopyButton text={cluster.id} label="Copy cluster ID" iconOnly />
      </p>
      {refusal === null ? null : (
        <div className="mt-3">
          <FailureNotice error={refusal} />
        </div>
      )}
      <div className="mt-2 border-line border-b">
        <SectionNav
          label="Cluster sections"
          items={sections.map(({ name, label }) => {
            const href = clusterPath(cluster.id, name);
            const isWithin = name !== 'overview' && pathname.startsWith(`${href}/`);
            return { href, label, isCurrent: pathname === href || isWithin };
          })}
        />
      </div>
    </div>
  );
}
