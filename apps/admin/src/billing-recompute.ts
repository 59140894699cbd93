// Recomputes a bill from the journal. Exits with 0 if everything is equal, 1 if something differs, 2 if the bill cannot be checked.
import {
  CannotRecompute,
  type RecomputedBill,
  type RecomputeInput,
  recomputeBill,
  reportJson,
  reportText,
} from '@penstock/billing';
import { applicationName, cellsVariable, cellUrls, declareAccess, parseEnv } from '@penstock/platform';
import { Client } from 'pg';
import { controlDatabaseUrl, operatorCommand, printProblem } from './operator-command.ts';

/** No result, mistakes in the arguments included: 1 would say that the bill is wrong. */
const CANNOT_CODE = 2;

async function recompute(databaseUrl: string, input: RecomputeInput): Promise<RecomputedBill> {
  const client = new Client({ connectionString: databaseUrl, application_name: applicationName('recompute') });
  try {
    await client.connect();
    await declareAccess(client, 'operator');
  } catch (error) {
    throw new CannotRecompute(
      `The database does not answer: ${error instanceof Error ? error.message : String(error)}`,
      'Start it (`npm start` starts the embedded one), or set DATABASE_URL to the one that holds the journal.',
      { cause: error },
    );
  }
  const cells = cellUrls(databaseUrl, parseEnv({ PENSTOCK_CELLS: cellsVariable }, process.env).PENSTOCK_CELLS);
  const others: Client[] = [];
  try {
    return await recomputeBill(client, input, async (cell) => {
      const connectionString = cells.get(cell);
      if (connectionString === undefined) {
        throw new CannotRecompute(
          `Cell ${cell} has a journal of this bill, but it is not configured.`,
          'Set PENSTOCK_CELLS as it is set for the worker.',
        );
      }
      const other = new Client({ connectionString, application_name: applicationName('recompute') });
      others.push(other);
      await other.connect();
      return other;
    });
  } finally {
    for (const opened of [client, ...others]) {
      await opened.end();
    }
  }
}

export const recomputeBills = operatorCommand('recompute', 'recomputes a bill from the journal')
  .requiredOption('--organization <id or slug>', 'whose bill')
  .requiredOption('--month <month>', 'such as 2026-11')
  .option('--json', 'for programs', false)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : CANNOT_CODE))
  .action(async ({ json, ...input }: RecomputeInput & { json: boolean }) => {
    try {
      const bill = await recompute(controlDatabaseUrl(), input);
      process.stdout.write(json ? reportJson(bill) : reportText(bill));
      process.exitCode = bill.isEqual ? 0 : 1;
    } catch (error) {
      printProblem(error, 'Look at the organization and the month again.');
      process.exitCode = CANNOT_CODE;
    }
  });
