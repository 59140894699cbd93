// `npm run billing:record-transfer -- --invoice PS-… --reference … --amount …`: records a payment by bank transfer.
import { recordTransfer } from '@penstock/billing';
import { argumentsMissing, operator, readFlags, runOperatorCommand } from './operator-command.ts';

const USAGE =
  'npm run billing:record-transfer -- --invoice PS-2026-000042 --reference "<as the bank shows it>" --amount 120.50';

await runOperatorCommand(USAGE, async (database) => {
  const { invoice, reference, amount } = readFlags({
    invoice: { type: 'string' },
    reference: { type: 'string' },
    amount: { type: 'string' },
  });
  if (invoice === undefined || reference === undefined || amount === undefined) {
    throw argumentsMissing('An invoice, a reference and an amount are needed.', USAGE);
  }
  const recorded = await recordTransfer(
    database,
    { invoiceNumber: invoice, reference, amountUsd: amount },
    { actor: operator(), now: new Date() },
  );
  const what = recorded.isNew ? 'Booked' : 'Booked before, nothing changed';
  return [`${what}: ${invoice} is ${recorded.status}, US$${recorded.amountPaidUsd} of US$${recorded.totalUsd} paid.`];
});
