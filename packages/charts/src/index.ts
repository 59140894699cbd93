// Charts: a pure, tested `prepare…` and a component that only draws what it made.
export { DailyCostChart } from './daily-cost/daily-cost-chart.tsx';
export { type ClusterDays, type DailyCostData, prepareDailyCost } from './daily-cost/prepare-daily-cost.ts';
export { prepareThroughput, type ThroughputChartData, type ThroughputPoint } from './throughput/prepare-throughput.ts';
export { ThroughputChart } from './throughput/throughput-chart.tsx';
