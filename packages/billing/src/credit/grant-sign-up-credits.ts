// Grants an organization the credits for new organizations, once, and once per person, payment method and company's
// domain. The amount is in the price book of the day it was created.
import { priceBookOn, usd } from '@penstock/pricing';
import type { Scope } from '@penstock/tenancy';
import { formatUtcDate } from '@penstock/units';
import { creditGrant } from '../ledger/booking.ts';
import { type CreditClaim, cardClaim, domainClaim, personClaim } from './credit-claim.ts';
import { type LedgerScope, recordBooking } from './record-booking.ts';

const referenceOf = (organizationId: string): string => `grant:sign-up:${organizationId}`;

/** Without a claim. @returns false if it already has them */
export async function grantSignUpCredits(scope: LedgerScope, organizationCreatedAt: Date): Promise<boolean> {
  const amountUsd = usd(priceBookOn(formatUtcDate(organizationCreatedAt.getTime())).signUpCreditUsd);
  if (amountUsd.isZero()) {
    return false;
  }
  return recordBooking(
    scope,
    creditGrant({ reference: referenceOf(scope.organizationId), description: 'Credits for signing up', amountUsd }),
  );
}

/**
 * Call it in the transaction that creates the organization.
 * @param email the verified address of the person who creates it
 * @returns false if the person had the credits with another organization
 */
export async function claimCreditsForPerson(scope: LedgerScope, email: string): Promise<boolean> {
  return (await isFirstClaim(scope, personClaim(email))) && grantSignUpCredits(scope, scope.now);
}

/**
 * Call it when the payment method is known. A payment method counts as used by the first organization that adds it,
 * also by one that had the credits before.
 * @param fingerprint Stripe's
 * @returns whether the credits were granted
 */
export function claimCreditsForCard(scope: LedgerScope, fingerprint: string): Promise<boolean> {
  return claimLater(scope, cardClaim(fingerprint));
}

/** Like `claimCreditsForCard`, for a domain that the organization has verified. */
export function claimCreditsForDomain(scope: LedgerScope, domain: string): Promise<boolean> {
  return claimLater(scope, domainClaim(domain));
}

async function claimLater(scope: LedgerScope, claim: CreditClaim): Promise<boolean> {
  const { tx, organizationId } = scope;
  if (!(await isFirstClaim(scope, claim))) {
    return false;
  }
  const { createdAt } = await tx.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: { createdAt: true },
  });
  return grantSignUpCredits(scope, createdAt);
}

/** Returns true if the claim is new. The second of two concurrent claims waits for the first and is refused. */
async function isFirstClaim({ tx, organizationId, now }: LedgerScope, claim: CreditClaim): Promise<boolean> {
  const { count } = await tx.creditClaim.createMany({
    data: [{ claim, organizationId, claimedAt: now }],
    skipDuplicates: true,
  });
  return count === 1;
}

/** The credits for new organizations, and whether this one has had them. */
export interface SignUpCredits {
  amountUsd: string;
  isGranted: boolean;
}

export async function getSignUpCredits({ tx, organizationId }: Scope): Promise<SignUpCredits> {
  const { createdAt } = await tx.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: { createdAt: true },
  });
  const reference = referenceOf(organizationId);
  return {
    amountUsd: priceBookOn(formatUtcDate(createdAt.getTime())).signUpCreditUsd,
    isGranted: (await tx.ledgerTransaction.findUnique({ where: { reference }, select: { id: true } })) !== null,
  };
}
