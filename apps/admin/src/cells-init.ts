// `npm run cells:init -- --cell eu-1`: initializes a database of PENSTOCK_CELLS as a cell, or upgrades an older cell.
import { initCell } from '@penstock/metadata-journal';
import { MAIN_CELL } from '@penstock/platform';
import { requireFlag, runCellsCommand } from './cells.ts';
import { readFlags } from './operator-command.ts';

const USAGE = 'npm run cells:init -- --cell <name>';

await runCellsCommand(USAGE, async ({ cells }) => {
  const cell = requireFlag(readFlags({ cell: { type: 'string' } }).cell, 'Say which cell.', USAGE);
  if (cell === MAIN_CELL) {
    return ['The control database is a cell by its migrations; there is nothing to do.'];
  }
  await initCell(cells.pool(cell));
  return [`Cell ${cell} has the tables of this version.`];
});
