'use client';

import { updateBillingDetailsInput } from '@penstock/api/inputs';
import { Card, Notice, type SelectOption, useToast } from '@penstock/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Form, SelectField, TextField, useForm, useWatch } from '../../../lib/forms';
import { QueryState, type RouterOutputs, useTRPC } from '../../../lib/trpc';
import { useRefreshBilling } from './use-refresh-billing';

type Account = RouterOutputs['billing']['account'];

const TEXT_FIELDS = [
  {
    name: 'legalName',
    label: 'Legal name',
    autoComplete: 'organization',
    hint: 'Defaults to the organization’s name.',
  },
  {
    name: 'billingEmail',
    label: 'Billing email',
    autoComplete: 'email',
    hint: 'For invoices and billing alerts. Defaults to the owners.',
  },
  { name: 'addressLine1', label: 'Address', autoComplete: 'address-line1' },
  { name: 'addressLine2', label: 'Address line 2', autoComplete: 'address-line2' },
  { name: 'postalCode', label: 'Postal code', autoComplete: 'postal-code' },
  { name: 'city', label: 'City', autoComplete: 'address-level2' },
  { name: 'state', label: 'State or province', autoComplete: 'address-level1' },
  { name: 'country', label: 'Country', autoComplete: 'country', hint: 'Two-letter code, such as DE or US.' },
] as const;

/** Radix does not allow an option with an empty value. */
const NO_TAX_ID = 'none';
const TAX_ID_TYPES: readonly SelectOption[] = [
  { value: NO_TAX_ID, label: 'No tax ID' },
  { value: 'eu_vat', label: 'EU VAT number' },
  { value: 'gb_vat', label: 'UK VAT number' },
  { value: 'ch_vat', label: 'Swiss VAT number' },
  { value: 'no_vat', label: 'Norwegian VAT number' },
  { value: 'us_ein', label: 'US EIN' },
  { value: 'ca_bn', label: 'Canadian BN' },
  { value: 'au_abn', label: 'Australian ABN' },
  { value: 'nz_gst', label: 'New Zealand GST number' },
  { value: 'in_gst', label: 'Indian GST number' },
  { value: 'sg_gst', label: 'Singapore GST number' },
  { value: 'jp_trn', label: 'Japanese registration number' },
  { value: 'br_cnpj', label: 'Brazilian CNPJ' },
];

export function DetailsCard() {
  const trpc = useTRPC();
  const account = useQuery(trpc.billing.account.queryOptions());
  return (
    <Card title="Billing details" description="Shown on future invoices. Final invoices don’t change.">
      <QueryState query={account} label="Loading billing details" rows={5}>
        {(data) => <DetailsForm account={data} />}
      </QueryState>
    </Card>
  );
}

function DetailsForm({ account }: { account: Account }) {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefreshBilling();
  const update = useMutation(
    trpc.billing.updateDetails.mutationOptions({
      onSuccess: async () => {
        await refresh();
        toast({ title: 'Billing details saved' });
      },
    }),
  );
  const form = useForm({
    initial: {
      legalName: account.legalName ?? '',
      billingEmail: account.billingEmail ?? '',
      addressLine1: account.addressLine1 ?? '',
      addressLine2: account.addressLine2 ?? '',
      postalCode: account.postalCode ?? '',
      city: account.city ?? '',
      state: account.state ?? '',
      country: account.country ?? '',
      taxIdType: account.taxIdType ?? NO_TAX_ID,
      taxId: account.taxId ?? '',
    },
    schema: updateBillingDetailsInput,
    toInput: ({ taxIdType, taxId, ...texts }) =>
      taxIdType === NO_TAX_ID ? { ...texts, taxIdType: '', taxId: '' } : { ...texts, taxIdType, taxId },
    send: update.mutateAsync,
  });
  const taxIdType = useWatch({ control: form.control, name: 'taxIdType' });
  return (
    <Form form={form} labels={['Save', 'Saving…']}>
      {account.detailsProblem === null ? null : (
        <Notice tone="warn" title="Stripe rejected these details">
          {account.detailsProblem}
        </Notice>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        {TEXT_FIELDS.map((field) => (
          <TextField key={field.name} form={form} {...field} />
        ))}
        <SelectField form={form} name="taxIdType" label="Tax ID type" options={TAX_ID_TYPES} />
        {taxIdType === NO_TAX_ID ? null : <TextField form={form} name="taxId" label="Tax ID" />}
      </div>
    </Form>
  );
}
