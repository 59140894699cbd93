'use client';

import { Select, type SelectOption } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLiveAgents } from '../../lib/live';
import { RangePicker, useAddress, useTimeRange } from '../../lib/time-range';
import { useTRPC } from '../../lib/trpc';
import { useCluster } from '../cluster';
import { agentNames, zoneText } from './agent-names';
import { ChartsOrState } from './charts-or-state';
import { MetadataMemory } from './metadata-memory';
import { type MetricsBy, toMetricsBy } from './metrics-question';
import { PercentileChoice, usePercentile } from './percentile-choice';
import { useMetrics } from './use-metrics';

const BY_OPTIONS: readonly SelectOption[] = [
  { value: 'none', label: 'All agents' },
  { value: 'zone', label: 'By zone' },
  { value: 'agent', label: 'By agent' },
];
/** As many agents as there are distinct colours. */
const SHOWN_AGENTS = 6;

/** A cluster's metrics over time: in total, by zone or by agent. */
export function MetricsSection({ clusterId }: { clusterId: string }) {
  const cluster = useCluster();
  const [range, setRange] = useTimeRange();
  const [by, setBy] = useGrouping();
  const [percentile, setPercentile] = usePercentile();
  const busiest = useBusiestAgents(clusterId, by === 'agent');
  const { query, window } = useMetrics(clusterId, range, by, busiest.agentIds);
  const agents = useLiveAgents(by === 'agent');
  const names = useMemo(() => agentNames(agents ?? []), [agents]);
  // Draws the response at hand, which may belong to the previous query.
  const drawnBy = query.data?.by ?? by;
  const grouping = useMemo(
    () => ({
      isGrouped: drawnBy !== 'none',
      nameOf: (group: string) => (drawnBy === 'agent' ? (names.get(group) ?? group) : zoneText(group)),
    }),
    [drawnBy, names],
  );
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <RangePicker range={range} onChange={setRange} />
        <div className="flex flex-wrap items-center gap-3">
          <div className="w-48">
            <Select
              aria-label="Group by"
              value={by}
              options={BY_OPTIONS}
              onValueChange={(value) => setBy(toMetricsBy(value))}
            />
          </div>
          <PercentileChoice value={percentile} onChange={setPercentile} />
        </div>
      </div>
      {by === 'agent' && busiest.count > SHOWN_AGENTS ? (
        <p className="text-[0.8125rem] text-ink-3">
          Showing the {SHOWN_AGENTS} busiest of {busiest.count} agents. Each agent’s page has the same charts.
        </p>
      ) : null}
      <ChartsOrState
        query={by === 'agent' && busiest.error !== null ? busiest.query : query}
        isEmpty={by === 'agent' && busiest.isKnown && busiest.count === 0}
        answer={query.data}
        isOfAnother={drawnBy !== by}
        clusterId={clusterId}
        window={window}
        grouping={grouping}
        percentile={percentile}
        isLowLatency={cluster.mode === 'low-latency'}
        fileName={cluster.name}
        setRange={setRange}
      />
      <MetadataMemory />
    </div>
  );
}

function useGrouping(): [MetricsBy, (by: MetricsBy) => void] {
  const [parameters, setParameters] = useAddress();
  const set = (by: MetricsBy): void => {
    const next = new URLSearchParams(parameters);
    if (by === 'none') {
      next.delete('by');
    } else {
      next.set('by', by);
    }
    setParameters(next);
  };
  return [toMetricsBy(parameters.get('by')), set];
}

/** The agents with the most traffic when the page was opened. Lines that change with every refresh would be hard to follow. */
function useBusiestAgents(clusterId: string, isWanted: boolean) {
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.telemetry.agentFigures.queryOptions({ clusterId }),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const agentIds = useMemo(
    () =>
      query.data
        ?.toSorted(
          (left, right) =>
            right.producedBytesPerS + right.fetchedBytesPerS - left.producedBytesPerS - left.fetchedBytesPerS,
        )
        .slice(0, SHOWN_AGENTS)
        .map(({ agentId }) => agentId),
    [query.data],
  );
  return {
    query,
    error: query.error,
    isKnown: query.data !== undefined,
    count: query.data?.length ?? 0,
    ...(isWanted && agentIds !== undefined ? { agentIds } : {}),
  };
}
