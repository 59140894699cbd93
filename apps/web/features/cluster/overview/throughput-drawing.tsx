// The chart alone, so that its library can be loaded by itself.
export { ThroughputChart } from '@penstock/charts';
