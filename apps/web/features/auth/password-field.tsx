'use client';

import { Field, Input } from '@penstock/ui';
import type { ReactNode } from 'react';
import { PASSWORD_MIN_LENGTH } from './validate';

interface PasswordFieldProps {
  label: string;
  /** Whether the person types a password that they have, or sets one. Tells password managers what to offer. */
  kind: 'current' | 'new';
  value: string;
  onChange: (password: string) => void;
  error: string | undefined;
  /** Shown at the end of the label's line. */
  aside?: ReactNode;
  /** For a field that appears after its dialog has opened. */
  autoFocus?: boolean;
}

/** The field of every form that asks for a person's password, or sets one. */
export function PasswordField({ label, kind, value, onChange, error, aside, autoFocus = false }: PasswordFieldProps) {
  return (
    <Field
      label={label}
      error={error}
      {...(kind === 'new' && error === undefined ? { hint: `At least ${PASSWORD_MIN_LENGTH} characters.` } : {})}
      {...(aside === undefined ? {} : { aside })}
    >
      {(control) => (
        <Input
          {...control}
          autoFocus={autoFocus}
          type="password"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          autoComplete={`${kind}-password`}
        />
      )}
    </Field>
  );
}
