export { agentNames, zoneText } from './agent-names';
export { ChartsOrState } from './charts-or-state';
export { MetricsSection } from './metrics-section';
export { PercentileChoice, usePercentile } from './percentile-choice';
export { useLiveClock } from './use-live-clock';
export { useMetrics } from './use-metrics';
