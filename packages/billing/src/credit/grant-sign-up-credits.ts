// Grants a new organization its credits, once. The amount is in the price book of the day it was created.
import type { Database } from '@penstock/database/client';
import { priceBookOn, usd } from '@penstock/pricing';
import { inTenant } from '@penstock/tenancy';
import { formatUtcDate } from '@penstock/units';
import { creditGrant } from '../ledger/booking.ts';
import { type LedgerScope, recordBooking } from './record-booking.ts';

const REFERENCE_PREFIX = 'grant:sign-up:';

/** Call it in the transaction that creates the organization. @returns false if it already has them */
export async function grantSignUpCredits(scope: LedgerScope, organizationCreatedAt: Date): Promise<boolean> {
  const amountUsd = usd(priceBookOn(formatUtcDate(organizationCreatedAt.getTime())).signUpCreditUsd);
  if (amountUsd.isZero()) {
    return false;
  }
  return recordBooking(
    scope,
    creditGrant({
      reference: `${REFERENCE_PREFIX}${scope.organizationId}`,
      description: 'Credits for signing up',
      amountUsd,
    }),
  );
}

/** Grants the credits to organizations that are older than the ledger. @returns how many */
export async function backfillSignUpCredits(database: Database, now: Date): Promise<number> {
  const missing = await database.$queryRaw<{ id: string; created_at: Date }[]>`
    SELECT o.id, o.created_at FROM organization o
    WHERE NOT EXISTS (SELECT FROM ledger_transaction t WHERE t.reference = ${REFERENCE_PREFIX} || o.id)
    ORDER BY o.created_at, o.id`;
  let granted = 0;
  for (const { id, created_at: createdAt } of missing) {
    const isNew = await inTenant(database, id, (tx) => grantSignUpCredits({ tx, organizationId: id, now }, createdAt));
    if (isNew) {
      granted += 1;
    }
  }
  return granted;
}
