'use client';

import { Notice } from '@penstock/ui';
import { z } from 'zod';
import { Form, TextField } from '../../lib/forms';
import { authClient } from './auth-client';
import { emailInput } from './auth-inputs';
import { ssoRefusal } from './sso-refusal';
import { useAuthForm } from './use-auth-form';

/** Finds the organization's identity provider by the email domain and redirects to it. */
export function SsoForm({ nextPath, refusedCode }: { nextPath: string; refusedCode?: string | undefined }) {
  const form = useAuthForm({
    initial: { email: '' },
    schema: z.object({ email: emailInput }),
    call: ({ email }) =>
      authClient.$fetch<{ url: string }>('/sso/start', { method: 'POST', body: { email, next: nextPath } }),
    onDone: ({ url }) => {
      window.location.assign(url);
      // The form stays pending until the provider's page has replaced this one.
      return new Promise(() => undefined);
    },
  });
  const refused = ssoRefusal(refusedCode);
  return (
    <Form form={form} labels={['Continue', 'Redirecting…']} variant="primary" isWide>
      {form.failure === null && refused !== null ? <Notice tone="danger" title={refused} /> : null}
      <TextField form={form} name="email" label="Work email" type="email" autoComplete="username" />
    </Form>
  );
}
