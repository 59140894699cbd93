// Charts: a pure, tested `prepare…` and a component that only draws what it made.
export { prepareThroughput, type ThroughputChartData, type ThroughputPoint } from './throughput/prepare-throughput.ts';
export { ThroughputChart } from './throughput/throughput-chart.tsx';
