'use client';

import { Button, Card, cx, EmptyState, Skeleton } from '@penstock/ui';
import { Activity } from 'lucide-react';
import { useCallback } from 'react';
import { useLiveSummary } from '../../lib/live';
import { clusterPath } from '../../lib/routes';
import { type TimeRange, type Window, zoomedTo } from '../../lib/time-range';
import { FailureNotice } from '../../lib/trpc';
import { IntentLink } from '../shell';
import type { Grouping, MetricsAnswer, Percentile } from './chart-input';
import { MetricCharts } from './metric-charts';

export interface ChartsOrStateProps {
  query: { error: unknown; isPlaceholderData: boolean; refetch: () => Promise<unknown> };
  answer: MetricsAnswer | undefined;
  /** The response belongs to an earlier query. */
  isOfAnother: boolean;
  /** Known to be empty without a request. */
  isEmpty: boolean;
  clusterId: string;
  window: Window;
  grouping: Grouping;
  percentile: Percentile;
  isLowLatency: boolean;
  fileName: string;
  setRange: (range: TimeRange) => void;
}

/** The charts, or a placeholder: loading, failed, no agent yet. A failed refresh leaves the charts as they are. */
export function ChartsOrState(props: ChartsOrStateProps) {
  const { query, answer, isOfAnother, isEmpty, clusterId, window, grouping, percentile, setRange } = props;
  const summary = useLiveSummary();
  const hasNoAgents = summary !== null && summary.agents.alive + summary.agents.gone === 0;
  const zoom = useCallback((picked: Window) => setRange(zoomedTo(picked, Date.now())), [setRange]);
  const failure =
    query.error === null ? null : <FailureNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (isEmpty || (answer !== undefined && isNothing(answer) && hasNoAgents)) {
    return (
      <Card>
        <EmptyState
          icon={<Activity />}
          title="No metrics yet"
          action={
            <Button asChild variant="primary">
              <IntentLink href={clusterPath(clusterId, 'connect')}>Show the command</IntentLink>
            </Button>
          }
        >
          Agents report metrics every ten seconds. Start an agent to see charts within 30 seconds.
        </EmptyState>
      </Card>
    );
  }
  if (answer === undefined) {
    return failure ?? <ChartsSkeleton />;
  }
  // Shown as outdated when the range changed, not when the same range moved by a few seconds.
  const isBefore = query.isPlaceholderData && Math.abs(answer.startMs - window.startMs) > 3 * answer.stepMs;
  const isStale = isOfAnother || isBefore;
  return (
    <div className="flex flex-col gap-4">
      {failure}
      <div aria-busy={isStale} className={cx('transition-opacity', isStale && 'opacity-50')}>
        <MetricCharts
          answer={answer}
          window={window}
          grouping={grouping}
          percentile={percentile}
          isLowLatency={props.isLowLatency}
          fileName={props.fileName}
          onZoom={zoom}
        />
      </div>
    </div>
  );
}

function isNothing({ series }: MetricsAnswer): boolean {
  return series.every(({ lines }) => lines.every(({ values }) => values.every((value) => value === null)));
}

function ChartsSkeleton() {
  return (
    <div role="status" aria-busy="true" className="grid gap-4 lg:grid-cols-2">
      <span className="sr-only">Loading charts</span>
      {['throughput', 'records', 'produce', 'fetch'].map((name) => (
        <Skeleton key={name} className="h-72 rounded-xl" />
      ))}
    </div>
  );
}
