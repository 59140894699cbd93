'use client';

import type { ComponentProps } from 'react';
import type { FieldValues } from 'react-hook-form';
import { TextField } from '../../lib/forms';
import { PASSWORD_MIN_LENGTH } from './auth-inputs';

type PasswordFieldProps<Values extends FieldValues> = Pick<
  ComponentProps<typeof TextField<Values>>,
  'form' | 'name' | 'label' | 'aside' | 'autoFocus'
> & {
  /** Whether the person types a password that they have, or sets one. Tells password managers what to offer. */
  kind: 'current' | 'new';
};

/** The field of every form that asks for a person's password, or sets one. */
export function PasswordField<Values extends FieldValues>({ kind, ...field }: PasswordFieldProps<Values>) {
  return (
    <TextField
      {...field}
      hint={kind === 'new' ? `At least ${PASSWORD_MIN_LENGTH} characters.` : undefined}
      type="password"
      autoComplete={`${kind}-password`}
    />
  );
}
