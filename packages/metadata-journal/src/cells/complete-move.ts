// What is left to do after the commit of a move. Anybody who finds a cluster's tombstone does it, so that a mover which dies right
// after the commit costs nobody more than a look at the source.
import type { Cells } from './cells.ts';
import type { CellDirectory } from './homes.ts';
import { openTarget, readPlacement } from './placement.ts';

/** Opens the target and corrects the directory. May be done again, and by several at once. */
export async function completeMove(
  cells: Cells,
  directory: CellDirectory,
  clusterId: string,
  fromCell: string,
): Promise<void> {
  const tombstone = await readPlacement(cells.pool(fromCell), clusterId);
  if (tombstone?.placement !== 'left' || tombstone.otherCell === null) {
    return;
  }
  // In this order: whoever the directory sends to the target finds it open.
  if (tombstone.mover !== null) {
    await openTarget(cells.pool(tombstone.otherCell), clusterId, tombstone.mover);
  }
  await directory.move(clusterId, fromCell, tombstone.otherCell);
}
