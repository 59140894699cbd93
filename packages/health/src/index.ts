// Cluster health as a pure function of a snapshot and the history.
export { assess, newHistory, openFindings } from './assess.ts';
export {
  type ClusterMetricsInput,
  clusterMetrics,
  MOST_ERROR_SERIES,
  MOST_LAG_SERIES,
} from './exposition/cluster-metrics.ts';
export type {
  AgentFacts,
  AgentWindow,
  Assessment,
  Condition,
  Finding,
  GroupFacts,
  History,
  Level,
  Occurrence,
  Severity,
  Snapshot,
  Subject,
  Verdict,
} from './model.ts';
export { readHistory } from './read-history.ts';
export { type RuleId, type RuleText, ruleIds, ruleTexts, textOf, titleOf } from './rules/catalogue.ts';
export { LAG_MINUTES, OLDEST_SUPPORTED_VERSION, STALE_SLOT_MS } from './thresholds.ts';
