'use client';

// The forms by which people prove who they are: with their password, or with a code.
import type { ComponentProps, ReactNode } from 'react';
import { z } from 'zod';
import { Form, TextField } from '../../lib/forms';
import { authenticatorCode, currentPassword, recoveryCode } from './auth-inputs';
import { PasswordField } from './password-field';
import type { AuthAnswer } from './use-auth-call';
import { useAuthForm } from './use-auth-form';

type FormProps = ComponentProps<typeof Form>;

interface ProofProps<Data extends object>
  extends Pick<FormProps, 'labels' | 'onCancel' | 'variant' | 'isWide' | 'buttons'> {
  /** Sends what was typed. */
  call: (typed: string) => Promise<AuthAnswer<Data>>;
  onDone: (data: Data) => void;
  /** Shown below the field, e.g. other ways to prove it. */
  children?: ReactNode;
  /** For a field that appears after its dialog has opened, or replaces another form. */
  autoFocus?: boolean;
}

/** Asks for the user's password. */
export function PasswordForm<Data extends object>(props: ProofProps<Data>) {
  const { call, onDone, children, autoFocus = false, ...rest } = props;
  const form = useAuthForm({
    initial: { password: '' },
    schema: z.object({ password: currentPassword }),
    call: ({ password }) => call(password),
    onDone,
  });
  return (
    <Form form={form} {...rest}>
      <PasswordField form={form} name="password" label="Your password" kind="current" autoFocus={autoFocus} />
      {children}
    </Form>
  );
}

interface CodeFormProps<Data extends object> extends ProofProps<Data> {
  kind?: 'app' | 'recovery';
  /** Instructions shown above the field. */
  before?: ReactNode;
}

/** Asks for a code from the authenticator app, or for a recovery code. */
export function CodeForm<Data extends object>(props: CodeFormProps<Data>) {
  const { kind = 'app', call, onDone, before, children, autoFocus = false, ...rest } = props;
  const form = useAuthForm({
    initial: { code: '' },
    schema: z.object({ code: kind === 'app' ? authenticatorCode : recoveryCode }),
    call: ({ code }) => call(code),
    onDone,
  });
  return (
    <Form form={form} {...rest}>
      {before}
      <TextField
        form={form}
        name="code"
        {...(kind === 'app'
          ? { label: 'Code from your authenticator app', hint: 'Six digits', inputMode: 'numeric' as const }
          : {
              label: 'Recovery code',
              hint: 'One of the codes you saved when you set up two-factor sign-in. Each works once.',
            })}
        autoFocus={autoFocus}
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellCheck={false}
        className="font-mono"
      />
      {children}
    </Form>
  );
}
