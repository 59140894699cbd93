// Creates an organization's customer at Stripe when it is first needed.
import { type BillingAccountRow, lockBillingAccount, type Scope } from '@penstock/tenancy';
import type { CallParameters } from '../stripe/index.ts';
import { queueStripeCall } from './queue-stripe-call.ts';

type TenantScope = Pick<Scope, 'tx' | 'organizationId' | 'now'>;

/** The details of an organization that Stripe receives. */
export async function customerDetails(
  { tx, organizationId }: TenantScope,
  account: BillingAccountRow,
): Promise<CallParameters<'customer.create'>> {
  const { name } = await tx.organization.findUniqueOrThrow({ where: { id: organizationId }, select: { name: true } });
  return {
    name: account.legalName ?? name,
    email: account.billingEmail,
    address: {
      line1: account.addressLine1,
      line2: account.addressLine2,
      city: account.city,
      state: account.state,
      postalCode: account.postalCode,
      country: account.country,
    },
  };
}

/** Queues the creation of the customer, unless it exists or is queued. @returns the call, if one was needed */
export async function ensureCustomer(scope: TenantScope): Promise<{ callId: string } | undefined> {
  const { tx, organizationId, now } = scope;
  const account = await lockBillingAccount(scope);
  if (account.stripeCustomerId !== null) {
    return undefined;
  }
  const callId = await queueStripeCall(tx, {
    organizationId,
    operation: 'customer.create',
    subject: organizationId,
    parameters: await customerDetails(scope, account),
    now,
  });
  if (account.taxId !== null && account.taxIdType !== null) {
    await queueStripeCall(tx, {
      organizationId,
      operation: 'customer.set_tax_id',
      subject: `${organizationId}/first-tax-id`,
      parameters: { taxId: { type: account.taxIdType, value: account.taxId } },
      now,
    });
  }
  return { callId };
}
