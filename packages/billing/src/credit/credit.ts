// Credits as the rest of the product sees them: a balance, and the entries that made it. Money is text with two decimals.
import type { BookingKind } from '../ledger/booking.ts';

export interface CreditEntry {
  id: string;
  at: Date;
  kind: BookingKind;
  description: string;
  /** Positive: credits that came; negative: credits that were used. */
  amountUsd: string;
  /** After this entry. */
  balanceUsd: string;
  invoiceId: string | null;
}
