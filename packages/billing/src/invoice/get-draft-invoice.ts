// The draft bill of a month that is not final yet, computed from the ledger at every call.
import { AppError } from '@penstock/platform';
import type { Scope } from '@penstock/tenancy';
import { countedUntil } from '../usage/counted-until.ts';
import { computeDraft } from './compute-draft.ts';
import type { DraftInvoice } from './invoice.ts';
import { toLineView } from './invoice-row.ts';
import { FINALIZATION_DELAY_MS, readMonth } from './month-input.ts';

/** @throws AppError `month_invalid`, `month_in_future`, `month_is_final` */
export async function getDraftInvoice(scope: Scope, input: { month?: string | undefined }): Promise<DraftInvoice> {
  const month = readMonth(input.month, scope.now);
  const final = await scope.tx.invoice.findFirst({
    where: { organizationId: scope.organizationId, kind: 'invoice', periodStart: new Date(month.startMs) },
    select: { number: true },
  });
  if (final !== null) {
    throw new AppError({
      kind: 'conflict',
      code: 'month_is_final',
      message: `This month is closed. Its invoice is ${final.number}.`,
      remedy: 'Open the invoice.',
    });
  }
  const draft = await computeDraft(scope, month);
  return {
    month: month.month,
    periodStart: new Date(month.startMs),
    periodEnd: new Date(month.endMs),
    lines: draft.lines.map(toLineView),
    linesBelowOneCent: draft.linesBelowOneCent,
    subtotalUsd: draft.subtotalUsd.toFixed(2),
    creditUsd: draft.creditUsd.toFixed(2),
    totalUsd: draft.totalUsd.toFixed(2),
    creditBalanceUsd: draft.creditBalanceUsd.toFixed(2),
    countedUntil: await countedUntil(scope),
    finalizesAt: new Date(month.endMs + FINALIZATION_DELAY_MS),
  };
}
