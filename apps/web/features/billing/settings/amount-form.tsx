'use client';

import { updateBudgetInput } from '@penstock/api/inputs';
import { Button } from '@penstock/ui';
import { Form, TextField, useForm } from '../../../lib/forms';
import { FailureNotice } from '../../../lib/trpc';

/** A form for a monthly amount in dollars, with save and remove. */
export function AmountForm(props: {
  /** Which amount it is. */
  field: 'budgetUsd' | 'capUsd';
  label: string;
  hint: string;
  /** The current value; null when none is set. */
  current: string | null;
  onSave: (amountUsd: string) => Promise<unknown>;
  removal: { label: string; isPending: boolean; error: unknown; onRemove: () => void };
}) {
  const { field, label, hint, current, onSave, removal } = props;
  const form = useForm({
    initial: { amount: current ?? '' },
    schema: updateBudgetInput,
    toInput: ({ amount }) => ({ [field]: amount }),
    fieldOf: (path) => (path === field ? 'amount' : undefined),
    send: async (input) => onSave(input[field] ?? ''),
  });
  return (
    <Form
      form={form}
      labels={['Save', 'Saving…']}
      buttons={
        current === null ? null : (
          <Button variant="quiet" pending={removal.isPending} onClick={removal.onRemove}>
            {removal.label}
          </Button>
        )
      }
    >
      <TextField
        form={form}
        name="amount"
        label={label}
        hint={hint}
        prefix="$"
        inputMode="decimal"
        placeholder="none"
        className="nums max-w-48"
      />
      {removal.error === null ? null : <FailureNotice error={removal.error} />}
    </Form>
  );
}
