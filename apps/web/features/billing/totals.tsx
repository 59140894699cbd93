import type { Line } from './line.types';
import { isCredit } from './line-table';
import { isZeroMoney, money } from './money';

/** The totals of a bill: the sum of its lines, what credits pay of it, and what remains. */
export function Totals(props: {
  subtotalUsd: string;
  creditUsd: string;
  /** Includes the line of the credits, which the table of lines leaves to the totals. */
  lines: readonly Line[];
  totalUsd: string;
  totalLabel: string;
  /** Only on a final invoice. */
  paid?: {
    amountPaidUsd: string;
    amountDueUsd: string;
    refundedUsd: string;
    disputedUsd: string;
    isDisputeLost: boolean;
  };
}) {
  const { subtotalUsd, creditUsd, lines, totalUsd, totalLabel, paid } = props;
  return (
    <dl className="nums ml-auto grid w-full max-w-md grid-cols-[1fr_auto] gap-x-6 gap-y-1.5 px-4 py-4 text-sm sm:px-5">
      <dt className="text-ink-2">Subtotal</dt>
      <dd className="text-right text-ink">{money(subtotalUsd)}</dd>
      {isZeroMoney(creditUsd) ? null : (
        <>
          <dt className="text-ink-2">{lines.find(isCredit)?.description ?? 'Credits'}</dt>
          <dd className="text-right text-ink">{money(creditUsd)}</dd>
        </>
      )}
      <dt className="font-semibold text-ink">{totalLabel}</dt>
      <dd data-testid="bill-total" className="text-right font-semibold text-ink">
        {money(totalUsd)}
      </dd>
      {paid === undefined || isZeroMoney(paid.amountPaidUsd) ? null : (
        <>
          <dt className="text-ink-2">Paid</dt>
          <dd className="text-right text-ink">{money(paid.amountPaidUsd)}</dd>
        </>
      )}
      {paid === undefined || isZeroMoney(paid.refundedUsd) ? null : (
        <>
          <dt className="text-ink-2">Refunded</dt>
          <dd className="text-right text-ink">{money(paid.refundedUsd)}</dd>
        </>
      )}
      {paid === undefined || isZeroMoney(paid.disputedUsd) ? null : (
        <>
          <dt className="text-ink-2">{paid.isDisputeLost ? 'Lost in a dispute' : 'In dispute'}</dt>
          <dd className="text-right text-ink">{money(paid.disputedUsd)}</dd>
        </>
      )}
      {paid === undefined || isZeroMoney(paid.amountDueUsd) || paid.amountDueUsd === totalUsd ? null : (
        <>
          <dt className="text-ink-2">Amount due</dt>
          <dd className="text-right text-ink">{money(paid.amountDueUsd)}</dd>
        </>
      )}
    </dl>
  );
}
