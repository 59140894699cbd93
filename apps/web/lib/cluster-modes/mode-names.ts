import type { RouterOutputs } from '../trpc';

export type ClusterMode = RouterOutputs['cluster']['get']['mode'];

export const MODE_NAMES: Readonly<Record<ClusterMode, string>> = {
  dev: 'Dev',
  standard: 'Standard',
  'low-latency': 'Low latency',
};
