// Names of metrics: those that an agent exposes, and those that the public API returns for a cluster.
import { clusterMetrics } from '../../../packages/health/src/index.ts';
import { fullyMeasured } from '../../../packages/health/src/testing/cluster.ts';

export interface MetricFamily {
  name: string;
  type: string;
  help: string;
  /** The labels, separated by commas. */
  labels: string;
}

/** @param list infra/prometheus/agent-metrics.txt */
export function agentMetrics(list: string): { name: string; type: string }[] {
  return list
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', type = ''] = line.split(' ');
      return { name, type };
    });
}

/** A cluster with every kind of data and issue, so that every metric family has a sample. */
export function clusterMetricFamilies(): MetricFamily[] {
  const families = clusterMetrics(fullyMeasured('degraded'));
  return families.map(({ name, type, help, samples }) => ({
    name: `${name}${type === 'gauge' ? '' : (samples[0]?.suffix ?? '')}`,
    type,
    help,
    labels: Object.keys(samples[0]?.labels ?? {}).join(', '),
  }));
}
