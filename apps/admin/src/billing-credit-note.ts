import { creditInvoice, readInvoiceSettings } from '@penstock/billing';
import type { Database } from '@penstock/database/client';
import type { Command } from 'commander';
import { onDatabase, operator, operatorCommand } from './operator-command.ts';

interface Flags {
  invoice: string;
  amount?: string;
  all: boolean;
  reason: string;
  again: boolean;
}

async function credit(database: Database, { invoice, amount, reason, again }: Flags): Promise<string[]> {
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
}

export const issueCreditNote = operatorCommand('credit-note', 'corrects a final invoice')
  .requiredOption('--invoice <number>', 'such as PS-2026-000042')
  .option('--amount <usd>', 'such as 12.30')
  .option('--all', 'what is left of the invoice', false)
  .requiredOption('--reason <text>', 'what the customer reads')
  .option('--again', 'even if the same was credited before', false)
  .action(async (flags: Flags, command: Command) => {
    if ((flags.amount === undefined) !== flags.all) {
      command.error('Give an amount, or --all for what is left.');
    }
    await onDatabase((database) => credit(database, flags));
  });
