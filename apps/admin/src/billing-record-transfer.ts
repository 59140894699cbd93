import { recordTransfer } from '@penstock/billing';
import { onDatabase, operator, operatorCommand } from './operator-command.ts';

export const bookTransfer = operatorCommand('record-transfer', 'records a payment by bank transfer')
  .requiredOption('--invoice <number>', 'such as PS-2026-000042')
  .requiredOption('--reference <text>', 'as the bank shows it')
  .requiredOption('--amount <usd>', 'such as 120.50')
  .action(({ invoice, reference, amount }: { invoice: string; reference: string; amount: string }) =>
    onDatabase(async (database) => {
      const recorded = await recordTransfer(
        database,
        { invoiceNumber: invoice, reference, amountUsd: amount },
        { actor: operator(), now: new Date() },
      );
      const what = recorded.isNew ? 'Booked' : 'Booked before, nothing changed';
      return [
        `${what}: ${invoice} is ${recorded.status}, US$${recorded.amountPaidUsd} of US$${recorded.totalUsd} paid.`,
      ];
    }),
  );
