// `npm run billing:recompute -- --organization <id or slug> --month 2026-11 [--json]`, with DATABASE_URL set by the
// caller. Exits with 0 if everything is equal, 1 if something differs, 2 if the bill cannot be checked.
import { parseArgs } from 'node:util';
import { applicationName, cellsVariable, cellUrls, declareAccess, parseEnv } from '@penstock/platform';
import { Client } from 'pg';
import { CannotRecompute } from './cannot-recompute.ts';
import { type RecomputedBill, type RecomputeInput, recomputeBill } from './recompute-bill.ts';
import { reportJson, reportText } from './report-text.ts';

const USAGE = 'npm run billing:recompute -- --organization <id or slug> --month 2026-11 [--json]';

function readArguments(args: string[]): RecomputeInput & { json: boolean } {
  try {
    const { values } = parseArgs({
      args,
      options: {
        organization: { type: 'string' },
        month: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const { organization, month, json } = values;
    if (organization === undefined || month === undefined) {
      throw new CannotRecompute('Say whose bill, and of which month.', USAGE);
    }
    return { organization, month, json };
  } catch (error) {
    if (error instanceof CannotRecompute) {
      throw error;
    }
    throw new CannotRecompute(error instanceof Error ? error.message : String(error), USAGE, { cause: error });
  }
}

/** Without it, the driver would try a database of its own choice. */
function requireDatabaseUrl(): string {
  const url = process.env['DATABASE_URL'];
  if (url === undefined || url === '') {
    throw new CannotRecompute('DATABASE_URL is not set.', 'Set it to the database that holds the journal.');
  }
  return url;
}

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
          `A journal of this bill stands in cell ${cell}, which is not configured.`,
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

try {
  const input = readArguments(process.argv.slice(2));
  const bill = await recompute(requireDatabaseUrl(), input);
  process.stdout.write(input.json ? reportJson(bill) : reportText(bill));
  process.exitCode = bill.isEqual ? 0 : 1;
} catch (error) {
  const told =
    error instanceof CannotRecompute
      ? `${error.message}\n  ${error.remedy}`
      : String(error instanceof Error ? error.stack : error);
  process.stderr.write(`\n✗ ${told}\n\n`);
  process.exitCode = 2;
}
