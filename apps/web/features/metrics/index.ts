export { agentNames, zoneText } from './agent-names';
export { ChartsOrState } from './charts-or-state';
export { metricsQuestion, toMetricsBy } from './metrics-question';
export { MetricsSection } from './metrics-section';
export { OrganizationThroughput } from './organization-throughput';
export { PercentileChoice, usePercentile } from './percentile-choice';
export { useLiveClock } from './use-live-clock';
export { useMetrics } from './use-metrics';
