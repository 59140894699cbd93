// Which partitions have runs or producers that expire.

import type { ExpireRuns } from '../model/data.types.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { isExpiryDue } from '../topics/run-expiry.ts';
import { retentionOf } from '../topics/topic-configs.ts';

/**
 * Looks at all partitions in steps, between which the state may change.
 * @param partitionsPerStep how many it looks at before it yields
 * @param nowMs the time, asked for every step
 * @returns after each step, the partitions found in it: often none
 */
export function* expiryDue(
  state: ClusterState,
  nowMs: () => number,
  partitionsPerStep: number,
): Generator<ExpireRuns['topics']> {
  let found: ExpireRuns['topics'] = [];
  let looked = 0;
  let stepMs = nowMs();
  for (const [key, topic] of state.topics) {
    const retention = retentionOf(topic.configs);
    let partitions: number[] = [];
    for (const [number, partition] of topic.partitions.entries()) {
      if (isExpiryDue(state, partition, retention, stepMs)) {
        if (partitions.length === 0) {
          found.push({ topicId: topic.id, partitions });
        }
        partitions.push(number);
      }
      looked += 1;
      if (looked >= partitionsPerStep) {
        yield found;
        found = [];
        partitions = [];
        looked = 0;
        stepMs = nowMs();
        if (state.topics.get(key) !== topic) {
          break;
        }
      }
    }
  }
  if (found.length > 0) {
    yield found;
  }
}
