// For tests: the invariants of a state, with one that is too costly for production.

import { checkState } from '../invariants/check-state.ts';
import { InvariantError } from '../model/assert.ts';
import type { ClusterState } from '../state/cluster-state.ts';

/** The broken invariants of a state; empty when there are none. */
export function brokenInvariants(state: ClusterState): string[] {
  try {
    checkState(state);
  } catch (error) {
    if (error instanceof InvariantError) {
      return [error.message];
    }
    throw error;
  }
  return overlappingRuns(state);
}

/** Files whose runs overlap. */
function overlappingRuns(state: ClusterState): string[] {
  const spansOfFile = new Map<number, { from: number; to: number }[]>();
  for (const topic of state.topics.values()) {
    for (const { runs } of topic.partitions) {
      for (let row = 0; runs !== null && row < runs.length; row += 1) {
        if (!runs.isMarker(row)) {
          const spans = spansOfFile.get(runs.file(row)) ?? [];
          spans.push({ from: runs.position(row), to: runs.position(row) + runs.bytes(row) });
          spansOfFile.set(runs.file(row), spans);
        }
      }
    }
  }
  const broken: string[] = [];
  for (const [slot, spans] of spansOfFile) {
    spans.sort((a, b) => a.from - b.from);
    if (!spans.every(({ from }, at) => at === 0 || from >= (spans[at - 1]?.to ?? 0))) {
      broken.push(`runs of file ${slot} overlap`);
    }
  }
  return broken;
}
