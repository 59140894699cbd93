'use client';

import { createOrganizationInput } from '@penstock/api/inputs';
import { Button, Field, Input } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { firstFaults } from '../../lib/forms';
import { FailureNotice, toFailure, useTRPC } from '../../lib/trpc';

/** The first step of a new account; later, a page of its own. */
export function CreateOrganization({ isFirst = false }: { isFirst?: boolean }) {
  const trpc = useTRPC();
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string | undefined>(undefined);
  const create = useMutation(
    // A full load: session and caches start over in the new organization.
    trpc.organization.create.mutationOptions({ onSuccess: () => window.location.assign('/app') }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = createOrganizationInput.safeParse({ name });
    setFault(parsed.success ? undefined : firstFaults(parsed.error)['name']);
    if (parsed.success && !create.isPending) {
      create.mutate(parsed.data);
    }
  };
  const failure = create.error === null ? null : toFailure(create.error);
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
        <form onSubmit={onSubmit} noValidate className="mt-6 flex flex-col gap-4">
          <Field
            label="Organization name"
            error={fault ?? (failure?.field === 'name' ? failure.message : undefined)}
            hint="Usually the name of your company or team. You can belong to several organizations."
          >
            {(control) => (
              <Input
                {...control}
                value={name}
                onChange={(event) => setName(event.target.value)}
                autoComplete="organization"
              />
            )}
          </Field>
          {failure !== null && failure.field !== 'name' ? <FailureNotice error={create.error} /> : null}
          <Button type="submit" variant="primary" pending={create.isPending}>
            {create.isPending ? 'Creating…' : 'Create organization'}
          </Button>
        </form>
      </div>
    </div>
  );
}
