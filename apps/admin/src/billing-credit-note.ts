// `npm run billing:credit-note -- --invoice PS-… (--amount 12.30 | --all) --reason "…"`: corrects a final invoice.
import { creditInvoice, readInvoiceSettings } from '@penstock/billing';
import { argumentsMissing, operator, readFlags, runOperatorCommand } from './operator-command.ts';

const USAGE =
  'npm run billing:credit-note -- --invoice PS-2026-000042 (--amount 12.30 | --all) --reason "<what the customer reads>" [--again]';

await runOperatorCommand(USAGE, async (database) => {
  const { invoice, amount, all, reason, again } = readFlags({
    invoice: { type: 'string' },
    amount: { type: 'string' },
    all: { type: 'boolean', default: false },
    reason: { type: 'string' },
    again: { type: 'boolean', default: false },
  });
  if (invoice === undefined || reason === undefined) {
    throw argumentsMissing('An invoice and a reason are needed.', USAGE);
  }
  if ((amount === undefined) !== all) {
    throw argumentsMissing('Give an amount, or --all for what is left.', USAGE);
  }
  const note = await creditInvoice(
    database,
    { invoiceNumber: invoice, amountUsd: amount, reason, isRepeated: again },
    { actor: operator(), now: new Date(), settings: readInvoiceSettings(process.env) },
  );
  return [
    `${note.number} over US$${note.amountUsd} for ${invoice} is issued, and mailed to the customer.`,
    `  US$${note.reducedUsd} taken off what was to be paid, of which US$${note.openUsd} is left.`,
    `  US$${note.creditedUsd} given as credits, which the next invoices use. To send them back as money instead, refund the payment at`,
    '  Stripe: that pays these credits out.',
  ];
});
