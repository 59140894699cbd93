// Charts: a pure, tested `prepare…` and a component that only draws its result. Charts that a page loads later or renders on the server
// have their own doors: see the README.

export type { Metric, Unit } from '@penstock/telemetry';
export { formatNanoUsd, nanosOf } from './daily-cost/nano-usd.ts';
export { type ClusterDays, type DailyCostData, prepareDailyCost } from './daily-cost/prepare-daily-cost.ts';
export { prepareThroughput, type ThroughputChartData, type ThroughputPoint } from './throughput/prepare-throughput.ts';
export { CrosshairProvider } from './time-series/crosshair.tsx';
export { isolateLine } from './time-series/isolate-line.ts';
export { lineNameText } from './time-series/line-name.ts';
export {
  prepareTimeSeries,
  type TimeSeriesData,
  type TimeSeriesInput,
  type TimeSeriesLine,
  type TimeWindow,
} from './time-series/prepare-time-series.ts';
export { type TimeZone, timeZoneOf } from './time-series/time-axis.ts';
export { TimeSeriesChart } from './time-series/time-series-chart.tsx';
export { localZoneId } from './time-series/time-text.ts';
export { toCsv } from './time-series/to-csv.ts';
export { valueText } from './time-series/value-scale.ts';
