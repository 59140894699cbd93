// `npm run billing:record-transfer -- --invoice PS-… --reference … --amount …`: books money that came by bank transfer.
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { createPrismaClient } from '@penstock/database/client';
import { AppError } from '@penstock/platform';
import { recordTransfer } from '@penstock/services';
import { findDatabaseUrl } from './database-url.ts';
import { complain, LocalError } from './terminal.ts';

const usage =
  'npm run billing:record-transfer -- --invoice PS-2026-000042 --reference "<as the bank shows it>" --amount 120.50';

function readArguments(): { invoiceNumber: string; reference: string; amountUsd: string } {
  const { values } = parseArgs({
    options: { invoice: { type: 'string' }, reference: { type: 'string' }, amount: { type: 'string' } },
  });
  const { invoice, reference, amount } = values;
  if (invoice === undefined || reference === undefined || amount === undefined) {
    throw new LocalError('An invoice, a reference and an amount are needed.', usage);
  }
  return { invoiceNumber: invoice, reference, amountUsd: amount };
}

try {
  const transfer = readArguments();
  const database = createPrismaClient(await findDatabaseUrl(), 1);
  try {
    const recorded = await recordTransfer(database, transfer, {
      actor: { type: 'system', id: null, label: `Operator ${userInfo().username}`, source: 'worker' },
      now: new Date(),
    });
    const what = recorded.isNew ? 'Booked' : 'Booked before, nothing changed';
    process.stdout.write(
      `${what}: ${transfer.invoiceNumber} is ${recorded.status}, US$${recorded.amountPaidUsd} of US$${recorded.totalUsd} paid.\n`,
    );
  } finally {
    await database.$disconnect();
  }
} catch (error) {
  const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  if (error instanceof AppError) complain(new LocalError(error.message, error.remedy ?? usage));
  else complain(isUsage ? new LocalError(error.message, usage) : error);
  process.exitCode = 1;
}
