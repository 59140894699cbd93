'use client';

import { createOrganizationInput } from '@penstock/api/inputs';
import { useMutation } from '@tanstack/react-query';
import { Form, TextField, useForm } from '../../lib/forms';
import { useTRPC } from '../../lib/trpc';

/** The first step of a new account; later, a page of its own. */
export function CreateOrganization({ isFirst = false }: { isFirst?: boolean }) {
  const trpc = useTRPC();
  const create = useMutation(
    // A full load: session and caches start over in the new organization.
    trpc.organization.create.mutationOptions({ onSuccess: () => window.location.assign('/app') }),
  );
  const form = useForm({ initial: { name: '' }, schema: createOrganizationInput, send: create.mutateAsync });
  return (
    <div className="mx-auto max-w-lg py-6 sm:py-12">
      <div className="rounded-2xl border border-line bg-surface p-6 shadow-raised sm:p-8">
        <p className="font-mono text-accent-ink text-xs">{isFirst ? 'Step 1 of 3' : 'New organization'}</p>
        <h1 className="mt-2 font-semibold text-2xl text-ink tracking-tight">
          {isFirst ? 'Create your organization' : 'Create an organization'}
        </h1>
        <p className="mt-2 text-ink-2 text-sm leading-6">
          An organization owns your clusters, keys and invoices. Its members have roles.
          {isFirst
            ? ' Next, you’ll create a cluster and start an agent.'
            : ' You get credits with your first organization. Another one gets them once you add a payment method or verify a company domain that no other organization has used.'}
        </p>
        <Form form={form} labels={['Create organization', 'Creating…']} variant="primary" isWide className="mt-6">
          <TextField
            form={form}
            name="name"
            label="Organization name"
            hint="Usually the name of your company or team. You can belong to several organizations."
            autoComplete="organization"
          />
        </Form>
      </div>
    </div>
  );
}
