// The metrics query of a page. Shared by the server, which prefetches, and the browser. Pure.
import type { Window } from '../../lib/time-range';
import { chartedMetrics } from './charts';

export type MetricsBy = 'none' | 'zone' | 'agent';

export function toMetricsBy(text: string | null): MetricsBy {
  return text === 'zone' || text === 'agent' ? text : 'none';
}

export function metricsQuestion(clusterId: string, window: Window, by: MetricsBy, agentIds?: readonly string[]) {
  return {
    clusterId,
    fromMs: window.startMs,
    toMs: window.endMs,
    metrics: [...chartedMetrics],
    by,
    ...(agentIds === undefined || agentIds.length === 0 ? {} : { agentIds: [...agentIds] }),
  };
}
