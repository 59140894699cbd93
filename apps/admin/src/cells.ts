// What the cell commands share: PENSTOCK_CELLS, with the control database as `main`, and errors for operators.
import {
  CannotMove,
  type CellDirectory,
  Cells,
  NotACell,
  PostgresCellDirectory,
  UnknownCell,
  UnknownCluster,
} from '@penstock/metadata-journal';
import {
  AppError,
  applicationName,
  cellsVariable,
  cellUrls,
  MAIN_CELL,
  parseEnv,
  withAccess,
} from '@penstock/platform';
import { Pool } from 'pg';
import { ADMIN, controlDatabaseUrl, print } from './operator-command.ts';

export interface CellTools {
  cells: Cells;
  directory: CellDirectory;
}

/** Runs `work` with the cells of PENSTOCK_CELLS and prints the lines that it returns. */
export async function onCells(work: (tools: CellTools) => Promise<string[]>): Promise<void> {
  const { PENSTOCK_CELLS: others } = parseEnv({ PENSTOCK_CELLS: cellsVariable }, process.env);
  const cells = new Cells(cellUrls(controlDatabaseUrl(), others), (connectionString, cell) => {
    const pool = new Pool({
      connectionString,
      max: 4,
      application_name: applicationName('cells'),
      ...(cell === MAIN_CELL ? withAccess('operator') : {}),
    });
    // A broken connection already fails the statement that uses it. Idle connections do not matter here.
    pool.on('error', () => undefined);
    return pool;
  });
  try {
    print(await work({ cells, directory: new PostgresCellDirectory(cells.pool(MAIN_CELL)) }));
  } catch (cause) {
    throw explain(cause) ?? cause;
  } finally {
    await cells.close();
  }
}

function explain(cause: unknown): AppError | undefined {
  if (cause instanceof UnknownCell) {
    const remedy = 'PENSTOCK_CELLS is JSON such as {"eu-1":"postgresql://user:password@host/database"}.';
    return new AppError({ kind: 'not-found', code: 'cell_unknown', message: `The ${cause.message}.`, remedy, cause });
  }
  if (cause instanceof UnknownCluster) {
    const remedy = '`SELECT id, name, cell FROM virtual_cluster` in the control database lists them.';
    return new AppError({ kind: 'not-found', code: 'cluster_unknown', message: `${cause.message}.`, remedy, cause });
  }
  if (cause instanceof NotACell) {
    const remedy = `Run \`${ADMIN} cells init --cell <name>\` for it first.`;
    return new AppError({ kind: 'refused', code: 'not_a_cell', message: `${cause.message}.`, remedy, cause });
  }
  if (cause instanceof CannotMove) {
    return new AppError({
      kind: 'refused',
      code: 'move_refused',
      message: cause.message,
      remedy: cause.remedy,
      cause,
    });
  }
  return undefined;
}
