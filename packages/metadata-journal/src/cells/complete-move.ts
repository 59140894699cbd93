// The steps after the commit of a move. Any process that finds a cluster's tombstone takes them, so a mover that dies right after the
// commit costs others one query to the source.
import type { Cells } from './cells.ts';
import type { CellDirectory } from './homes.ts';
import { openTarget, readPlacement } from './placement.ts';

/** Opens the target and updates the directory. May run repeatedly and concurrently. */
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
  // In this order, so that a process that the directory sends to the target finds it open.
  if (tombstone.mover !== null) {
    await openTarget(cells.pool(tombstone.otherCell), clusterId, tombstone.mover);
  }
  await directory.move(clusterId, fromCell, tombstone.otherCell);
}
