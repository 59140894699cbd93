'use client';

import {
  CrosshairProvider,
  localZoneId,
  prepareTimeSeries,
  TimeSeriesChart,
  type TimeWindow,
  timeZoneOf,
} from '@penstock/charts';
import { Skeleton } from '@penstock/ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNow } from '../../lib/time';
import { RangePicker, refreshMsOf, useTimeRange, windowOf, zoomedTo } from '../../lib/time-range';
import { FailureNotice, type RouterOutputs, useTRPC } from '../../lib/trpc';

type Answer = RouterOutputs['telemetry']['organizationThroughput'];

/** Past windows are not used again. */
const KEPT_MS = 15_000;

/** The read and write throughput of all clusters of the organization. */
export function OrganizationThroughput() {
  const trpc = useTRPC();
  const [range, setRange] = useTimeRange();
  const nowMs = useNow();
  const refreshMs = refreshMsOf(range);
  const window = windowOf(range, Math.floor(nowMs / refreshMs) * refreshMs);
  const query = useQuery({
    ...trpc.telemetry.organizationThroughput.queryOptions({ fromMs: window.startMs, toMs: window.endMs }),
    enabled: nowMs > 0,
    placeholderData: keepPreviousData,
    gcTime: KEPT_MS,
  });
  return (
    <section aria-label="Throughput, all clusters" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold text-base text-ink">Throughput, all clusters</h2>
        <RangePicker range={range} onChange={setRange} />
      </div>
      {query.error === null ? null : <FailureNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined ? (
        <Charts answer={query.data} window={window} onZoom={(picked) => setRange(zoomedTo(picked, Date.now()))} />
      ) : query.error === null ? (
        <div role="status" aria-busy="true" className="grid gap-4 lg:grid-cols-2">
          <span className="sr-only">Loading throughput of all clusters</span>
          <Skeleton className="h-72 rounded-xl" />
          <Skeleton className="h-72 rounded-xl" />
        </div>
      ) : null}
    </section>
  );
}

interface ChartsProps {
  answer: Answer;
  window: TimeWindow;
  onZoom: (window: TimeWindow) => void;
}

function Charts({ answer, window, onZoom }: ChartsProps) {
  const { startMs, endMs } = window;
  const [produced, fetched] = useMemo(
    () =>
      (['producedBytesPerS', 'fetchedBytesPerS'] as const).map((figure) =>
        prepareTimeSeries(
          {
            unit: 'B/s',
            startMs: answer.startMs,
            stepMs: answer.stepMs,
            lines: answer.clusters.map((cluster) => ({
              key: cluster.clusterId,
              label: cluster.name,
              values: cluster[figure],
            })),
          },
          { startMs, endMs },
          timeZoneOf(localZoneId(), endMs),
        ),
      ),
    [answer, startMs, endMs],
  );
  return (
    <CrosshairProvider>
      <div className="grid gap-4 lg:grid-cols-2">
        {produced === undefined ? null : (
          <TimeSeriesChart
            title="In"
            note="Bytes acknowledged to producers, as stored."
            data={produced}
            fileName="clusters-in"
            empty="No data in this range."
            onZoom={onZoom}
          />
        )}
        {fetched === undefined ? null : (
          <TimeSeriesChart
            title="Out"
            note="Bytes fetched by consumers."
            data={fetched}
            fileName="clusters-out"
            empty="No data in this range."
            onZoom={onZoom}
          />
        )}
      </div>
      {answer.omittedClusters === 0 ? null : (
        <p className="mt-2 text-[0.8125rem] text-ink-3">
          Showing the {answer.clusters.length} oldest clusters. For the other {answer.omittedClusters}, open the
          cluster’s page.
        </p>
      )}
    </CrosshairProvider>
  );
}
