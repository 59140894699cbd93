'use client';

import { CrosshairProvider, prepareTimeSeries, TimeSeriesChart, type TimeWindow, timeZoneOf } from '@penstock/charts';
import { EmptyState, Skeleton } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import { memo, useMemo } from 'react';
import { useTimeZone } from '../../lib/time';
import type { Window } from '../../lib/time-range';
import { FailureNotice, useTRPC } from '../../lib/trpc';
import { type ClientChart, type ClientSeries, clientChartGroups, clientChartInput } from './client-charts';

export interface ClientMetricsProps {
  clusterId: string;
  clientId: string;
  window: Window;
  onZoom: (window: TimeWindow) => void;
}

/** Pushed metrics of one client ID over time. Charts without data are omitted, because no client pushes everything. */
export function ClientMetrics({ clusterId, clientId, window, onZoom }: ClientMetricsProps) {
  const range = { clusterId, clientId, fromMs: window.startMs, toMs: window.endMs };
  const query = useQuery({
    ...useTRPC().telemetry.clientSeries.queryOptions(range),
    // The charts of another client are not shown while these load.
    placeholderData: (before, of) => (isOf(of?.queryKey, clientId) ? before : undefined),
  });
  const { data, error } = query;
  if (data === undefined) {
    return error === null ? (
      <div role="status" aria-busy="true" className="grid gap-4 lg:grid-cols-2">
        <span className="sr-only">Loading charts</span>
        <Skeleton className="h-72 rounded-xl" />
        <Skeleton className="h-72 rounded-xl" />
      </div>
    ) : (
      <FailureNotice error={error} onRetry={() => void query.refetch()} />
    );
  }
  if (data.series.length === 0) {
    return <EmptyState title="No metrics in this range">Choose a longer range, or wait for the next push.</EmptyState>;
  }
  return (
    <CrosshairProvider>
      <div className="flex flex-col gap-8">
        {clientChartGroups.map(({ title, charts }) => {
          const shown = charts.filter((chart) => clientChartInput(chart, data) !== null);
          return shown.length === 0 ? null : (
            <section key={title} aria-label={title}>
              <h3 className="mb-3 font-semibold text-base text-ink">{title}</h3>
              <div className="grid gap-4 lg:grid-cols-2">
                {shown.map((chart) => (
                  <Chart
                    key={chart.id}
                    chart={chart}
                    answer={data}
                    startMs={window.startMs}
                    endMs={window.endMs}
                    onZoom={onZoom}
                  />
                ))}
              </div>
            </section>
          );
        })}
      </div>
    </CrosshairProvider>
  );
}

/** Whether a query is about this client ID. */
function isOf(queryKey: unknown, clientId: string): boolean {
  return JSON.stringify(queryKey ?? null).includes(`"clientId":${JSON.stringify(clientId)}`);
}

interface ChartProps {
  chart: ClientChart;
  answer: ClientSeries;
  startMs: number;
  endMs: number;
  onZoom: (window: TimeWindow) => void;
}

const Chart = memo(function Chart({ chart, answer, startMs, endMs, onZoom }: ChartProps) {
  const zoneId = useTimeZone();
  const data = useMemo(() => {
    const input = clientChartInput(chart, answer);
    return input === null ? null : prepareTimeSeries(input, { startMs, endMs }, timeZoneOf(zoneId, endMs), true);
  }, [chart, answer, startMs, endMs, zoneId]);
  return data === null ? null : (
    <TimeSeriesChart
      title={chart.title}
      note={chart.note}
      data={data}
      fileName={`client-${chart.id}`}
      empty="No data in this range."
      onZoom={onZoom}
    />
  );
});
