// TakeDeletions and ConfirmDeletions: an agent leases dead files, deletes the objects, and confirms.

import type { ConfirmDeletions, TakeDeletions } from '../model/data.types.ts';
import { MAX_DELETIONS_PER_TAKE } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';

export function takeDeletions(state: ClusterState, command: TakeDeletions, nowMs: number): Outcome<'take-deletions'> {
  const fileIds = state.files.take(Math.min(command.maxFiles, MAX_DELETIONS_PER_TAKE), nowMs);
  return fileIds.length === 0 ? unchanged({ fileIds }) : changed({ fileIds });
}

export function confirmDeletions(state: ClusterState, command: ConfirmDeletions): Outcome<'confirm-deletions'> {
  let confirmed = 0;
  for (const fileId of command.fileIds) {
    confirmed += state.files.forget(fileId) ? 1 : 0;
  }
  return confirmed === 0 ? unchanged({ confirmed }) : changed({ confirmed });
}
