import { initCell } from '@penstock/metadata-journal';
import { MAIN_CELL } from '@penstock/platform';
import { onCells } from './cells.ts';
import { operatorCommand } from './operator-command.ts';

export const initializeCell = operatorCommand(
  'init',
  'prepares a database of PENSTOCK_CELLS, or upgrades an older cell',
)
  .requiredOption('--cell <name>', 'its name in PENSTOCK_CELLS')
  .action(({ cell }: { cell: string }) =>
    onCells(async ({ cells }) => {
      if (cell === MAIN_CELL) {
        return ['The control database is a cell by its migrations; there is nothing to do.'];
      }
      await initCell(cells.pool(cell));
      return [`Cell ${cell} has the tables of this version.`];
    }),
  );
