// Names of metrics: what an agent exposes, and what the public API tells of a cluster.
import { clusterMetrics } from '../../../packages/health/src/index.ts';
import { sampleOf } from '../../../packages/health/src/testing/cluster.ts';

export interface MetricFamily {
  name: string;
  type: string;
  help: string;
  /** Separated by commas. */
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

/** Of a cluster of which everything is known and something is wrong, so that every family has a sample. */
export function clusterMetricFamilies(): MetricFamily[] {
  const families = clusterMetrics({
    clusterId: 'c',
    clusterName: 'c',
    level: 'degraded',
    openFindings: [{ rule: 'agents.none', severity: 'critical' }],
    state: {
      agents: [{ zone: 'a', isAlive: true }],
      topics: 1,
      partitions: 1,
      uncompressedBytesTotal: 1,
      groups: [{ groupId: 'g', members: 1, lagByTopic: new Map([['t', 1]]), lagSecondsByTopic: new Map([['t', 1]]) }],
    },
    measured: {
      span_ms: 60_000,
      sample: sampleOf({ requests: { 0: 1 }, errors: new Map([[32_768, 1]]), latencies_ms: { produce: 1 } }),
    },
  });
  return families.map(({ name, type, help, samples }) => ({
    name: `${name}${type === 'gauge' ? '' : (samples[0]?.suffix ?? '')}`,
    type,
    help,
    labels: Object.keys(samples[0]?.labels ?? {}).join(', '),
  }));
}
