'use client';

import { updateBillingDetailsInput } from '@penstock/api/inputs';
import { Button, Card, Field, Input, Notice, Select, type SelectOption, useToast } from '@penstock/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { firstFaults } from '../../../lib/forms';
import { FailureNotice, QueryState, type RouterOutputs, useTRPC } from '../../../lib/trpc';
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
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(TEXT_FIELDS.map(({ name }) => [name, account[name] ?? ''])),
  );
  const [taxIdType, setTaxIdType] = useState(account.taxIdType ?? NO_TAX_ID);
  const [taxId, setTaxId] = useState(account.taxId ?? '');
  const [faults, setFaults] = useState<Record<string, string>>({});
  const update = useMutation(
    trpc.billing.updateDetails.mutationOptions({
      onSuccess: async () => {
        await refresh();
        toast({ title: 'Billing details saved' });
      },
    }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = updateBillingDetailsInput.safeParse({
      ...values,
      taxIdType: taxIdType === NO_TAX_ID ? '' : taxIdType,
      taxId: taxIdType === NO_TAX_ID ? '' : taxId,
    });
    setFaults(parsed.success ? {} : firstFaults(parsed.error));
    if (parsed.success && !update.isPending) {
      update.mutate(parsed.data);
    }
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      {account.detailsProblem === null ? null : (
        <Notice tone="warn" title="Stripe rejected these details">
          {account.detailsProblem}
        </Notice>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        {TEXT_FIELDS.map((field) => (
          <Field
            key={field.name}
            label={field.label}
            error={faults[field.name]}
            {...('hint' in field ? { hint: field.hint } : {})}
          >
            {(control) => (
              <Input
                {...control}
                value={values[field.name] ?? ''}
                onChange={(event) => setValues((before) => ({ ...before, [field.name]: event.target.value }))}
                autoComplete={field.autoComplete}
              />
            )}
          </Field>
        ))}
        <Field label="Tax ID type" error={faults['taxIdType']}>
          {(control) => <Select {...control} value={taxIdType} options={TAX_ID_TYPES} onValueChange={setTaxIdType} />}
        </Field>
        {taxIdType === NO_TAX_ID ? null : (
          <Field label="Tax ID" error={faults['taxId']}>
            {(control) => (
              <Input {...control} value={taxId} onChange={(event) => setTaxId(event.target.value)} autoComplete="off" />
            )}
          </Field>
        )}
      </div>
      {update.error === null ? null : <FailureNotice error={update.error} />}
      <div>
        <Button type="submit" pending={update.isPending}>
          {update.isPending ? 'Saving…' : 'Save'}
        </Button>
      </div>
    </form>
  );
}
