// Changes the billing details on future invoices. Final invoices stay as they are; Stripe is updated through the
// outbox.
import { newId } from '@penstock/platform';
import { lockBillingAccount, recordAudit, type Scope } from '@penstock/tenancy';
import { customerDetails } from '../collection/ensure-customer.ts';
import { queueStripeCall } from '../collection/queue-stripe-call.ts';
import type { BillingDetails } from './billing-details-input.ts';

/** Replaces all billing details. */
export async function updateBillingDetails(scope: Scope, details: BillingDetails): Promise<void> {
  const { tx, organizationId, now } = scope;
  const account = await lockBillingAccount(scope);
  const names = Object.keys(details) as (keyof BillingDetails)[];
  const before = Object.fromEntries(names.map((name) => [name, account[name]]));
  if (names.every((name) => account[name] === details[name])) {
    return;
  }
  const changed = await tx.billingAccount.update({ where: { organizationId }, data: details });
  await recordAudit(scope, {
    action: 'billing.update-details',
    targetType: 'organization',
    targetId: organizationId,
    before,
    after: { ...details },
  });

  const isKnown =
    account.stripeCustomerId !== null ||
    (await tx.stripeCall.count({ where: { operation: 'customer.create', subject: organizationId } })) > 0;
  if (!isKnown) {
    return;
  }
  await queueStripeCall(tx, {
    organizationId,
    operation: 'customer.update',
    subject: `${organizationId}/details-${newId(now.getTime())}`,
    parameters: await customerDetails(scope, changed),
    now,
  });
  if (account.taxId === details.taxId && account.taxIdType === details.taxIdType) {
    return;
  }
  const { taxId: value, taxIdType: type } = details;
  await queueStripeCall(tx, {
    organizationId,
    operation: 'customer.set_tax_id',
    subject: `${organizationId}/tax-id-${newId(now.getTime())}`,
    parameters: { taxId: value === null || type === null ? null : { type, value } },
    now,
  });
}
