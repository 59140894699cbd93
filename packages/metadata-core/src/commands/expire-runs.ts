// ExpireRuns: removes whole runs that are beyond retention.ms or retention.bytes, and idle producers, of some partitions.

import type { ExpireRuns } from '../model/data.types.ts';
import { idKey } from '../model/ids.ts';
import { MAX_EXPIRED_RUNS } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { RunExpiry } from '../topics/run-expiry.ts';

/** Topics and partitions that do not exist (any more) are passed over. */
export function expireRuns(state: ClusterState, { topics }: ExpireRuns, nowMs: number): Outcome<'expire-runs'> {
  const expiry = new RunExpiry(state, nowMs, MAX_EXPIRED_RUNS);
  for (const { topicId, partitions } of topics) {
    const topic = state.topics.get(idKey(topicId));
    if (topic !== undefined) {
      expiry.expireAll(topic, partitions);
    }
  }
  const { droppedRuns, forgottenProducers, truncated, isSpent } = expiry;
  const answer = { droppedRuns, isComplete: !isSpent };
  if (droppedRuns === 0) {
    return forgottenProducers === 0 ? unchanged(answer) : changed(answer);
  }
  return changed(answer, { truncated });
}
