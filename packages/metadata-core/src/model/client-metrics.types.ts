// The type of the command about subscriptions to the metrics of clients (KIP-714).
import type { ClusterSettings } from './settings.ts';
import type { ConfigOp } from './topics.types.ts';

/** A subscription exists while it has a config. */
export interface AlterClientMetrics {
  kind: 'alter-client-metrics';
  subscriptions: { name: string; ops: ConfigOp[] }[];
  validateOnly: boolean;
}
export interface AlterClientMetricsAnswer {
  /** In the order of the request. */
  results: { errorCode: number; errorMessage: string }[];
  settings: ClusterSettings;
}
