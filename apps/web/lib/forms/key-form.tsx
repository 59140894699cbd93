'use client';

import { Button, DialogActions, Field, Input } from '@penstock/ui';
import type { FormEvent, ReactNode } from 'react';
import { FailureNotice } from '../trpc';

interface KeyFormProps {
  name: string;
  onNameChange: (name: string) => void;
  /** What is wrong with the name; undefined when it is valid. */
  fault: string | undefined;
  nameHint: string;
  /** Further options of the key. */
  children?: ReactNode;
  /** Null when the request did not fail. */
  error: unknown;
  isPending: boolean;
  onCancel: () => void;
  onSubmit: () => void;
}

/** The form in dialogs that create a key of any kind. */
export function KeyForm({ name, onNameChange, fault, nameHint, children, error, isPending, ...rest }: KeyFormProps) {
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    rest.onSubmit();
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <Field label="Name" error={fault} hint={nameHint}>
        {(control) => (
          <Input {...control} value={name} onChange={(event) => onNameChange(event.target.value)} autoComplete="off" />
        )}
      </Field>
      {children}
      {error === null ? null : <FailureNotice error={error} />}
      <DialogActions>
        <Button onClick={rest.onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pending={isPending}>
          {isPending ? 'Creating…' : 'Create key'}
        </Button>
      </DialogActions>
    </form>
  );
}
