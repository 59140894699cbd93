// The public view of credits: a balance, and the entries behind it. Money is text with two decimals.
import type { BookingKind } from '../ledger/booking.ts';

export interface CreditEntry {
  id: string;
  at: Date;
  kind: BookingKind;
  description: string;
  /** Positive for credits received, negative for credits used. */
  amountUsd: string;
  /** The balance after this entry. */
  balanceUsd: string;
  invoiceId: string | null;
}
