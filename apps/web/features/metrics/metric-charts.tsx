'use client';

import { CrosshairProvider, prepareTimeSeries, TimeSeriesChart, type TimeWindow, timeZoneOf } from '@penstock/charts';
import { memo, useMemo } from 'react';
import { useTimeZone } from '../../lib/time';
import type { Window } from '../../lib/time-range';
import { chartInputOf, type Grouping, hasLandingTraffic, type MetricsAnswer, type Percentile } from './chart-input';
import { type ChartSpec, chartGroupsFor } from './charts';

export interface MetricChartsProps {
  answer: MetricsAnswer;
  window: Window;
  grouping: Grouping;
  percentile: Percentile;
  isLowLatency: boolean;
  /** Prefix of exported file names. */
  fileName: string;
  onZoom: (window: TimeWindow) => void;
}

/** All charts, with a shared cursor. */
export function MetricCharts(props: MetricChartsProps) {
  const usesLanding = props.isLowLatency || hasLandingTraffic(props.answer);
  return (
    <CrosshairProvider>
      <div className="flex flex-col gap-8">
        {chartGroupsFor(usesLanding).map(({ title, charts }) => (
          <section key={title} aria-label={title}>
            <h2 className="mb-3 font-semibold text-base text-ink">{title}</h2>
            <div className="grid gap-4 lg:grid-cols-2">
              {charts.map((spec) => (
                <Chart key={spec.id} spec={spec} {...props} />
              ))}
            </div>
          </section>
        ))}
      </div>
    </CrosshairProvider>
  );
}

const Chart = memo(function Chart(props: MetricChartsProps & { spec: ChartSpec }) {
  const { spec, answer, window, grouping, percentile, fileName, onZoom } = props;
  const { startMs, endMs } = window;
  const zoneId = useTimeZone();
  const data = useMemo(() => {
    const input = chartInputOf(spec, answer, grouping, percentile);
    const zone = timeZoneOf(zoneId, endMs);
    // Percentiles, parts, zones and agents keep their colours across charts; APIs and codes are coloured by their position.
    const keepsOrder = grouping.isGrouped || spec.isByApi !== true;
    return input === null ? null : prepareTimeSeries(input, { startMs, endMs }, zone, keepsOrder);
  }, [spec, answer, grouping, percentile, startMs, endMs, zoneId]);
  if (data === null) {
    return null;
  }
  const showsOnePercentile =
    (spec.metrics[0]?.metric.startsWith('latency.') ?? false) && !(spec.isPercentiles === true && !grouping.isGrouped);
  const title = grouping.isGrouped ? (spec.groupedTitle ?? spec.title) : spec.title;
  return (
    <TimeSeriesChart
      title={showsOnePercentile ? `${title}, ${percentile}` : title}
      note={spec.note}
      data={data}
      fileName={`${fileName}-${spec.id}`}
      empty={spec.id.endsWith('errors') ? 'No errors in this range.' : 'No data in this range.'}
      onZoom={onZoom}
    />
  );
});
