// The buyer on an invoice: from the billing details, otherwise the organization's name.
import type { BillingAccountRow, Scope } from '@penstock/tenancy';
import type { Party } from './invoice-document.ts';

type Details = Pick<
  BillingAccountRow,
  'legalName' | 'addressLine1' | 'addressLine2' | 'city' | 'state' | 'postalCode' | 'country' | 'taxId' | 'billingEmail'
>;

export async function readBilledTo(
  { tx, organizationId }: Pick<Scope, 'tx' | 'organizationId'>,
  account: Details | null,
): Promise<Party> {
  const { name } = await tx.organization.findUniqueOrThrow({ where: { id: organizationId }, select: { name: true } });
  if (account === null) {
    return { name, address: [], email: null, taxId: null };
  }
  const place = [account.postalCode, account.city, account.state].filter((part) => part !== null).join(' ');
  return {
    name: account.legalName ?? name,
    address: [account.addressLine1, account.addressLine2, place, account.country].filter(
      (line): line is string => line !== null && line !== '',
    ),
    email: account.billingEmail,
    taxId: account.taxId,
  };
}
