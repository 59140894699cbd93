'use client';

import { Button, Card, Dialog, DialogActions, Field, Input, Notice } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { failureText, toFailure, useTRPC } from '../../lib/trpc';

export function DeleteOrganizationCard({ organizationName }: { organizationName: string }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Card
      tone="danger"
      title="Delete this organization"
      actions={
        <Button size="sm" variant="danger" onClick={() => setIsAsking(true)}>
          Delete
        </Button>
      }
    >
      <p className="max-w-prose text-ink-2 text-sm leading-6">
        All members lose access immediately. Clients can’t reach any cluster, including protected ones, and all keys are
        revoked. Any owner can restore the organization from their account page for 30 days. This month’s usage is
        billed at the end of the month. We keep invoices and the audit log.
      </p>
      <Dialog open={isAsking} onOpenChange={setIsAsking} title={`Delete ${organizationName}?`}>
        <DeleteForm organizationName={organizationName} onCancel={() => setIsAsking(false)} />
      </Dialog>
    </Card>
  );
}

function DeleteForm({ organizationName, onCancel }: { organizationName: string; onCancel: () => void }) {
  const trpc = useTRPC();
  const [typed, setTyped] = useState('');
  const [isMismatch, setIsMismatch] = useState(false);
  const remove = useMutation(
    trpc.organization.delete.mutationOptions({
      // A full load: no data of the organization stays in memory.
      onSuccess: () => window.location.assign('/app/account'),
    }),
  );
  const failure = remove.error === null ? null : toFailure(remove.error);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsMismatch(typed !== organizationName);
    if (typed === organizationName && !remove.isPending) {
      remove.mutate({ confirmation: typed });
    }
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <p className="text-ink-2 text-sm leading-6">
        You lose access to its clusters, keys, members and settings now. They’re permanently deleted after 30 days. Data
        files stay in your bucket: we can’t delete them.
      </p>
      <Field
        label={
          <>
            Type <span className="rounded bg-inset px-1.5 py-0.5 font-mono text-[0.8125rem]">{organizationName}</span>{' '}
            to confirm
          </>
        }
        error={
          isMismatch ? `This doesn’t match. Type “${organizationName}” exactly. Names are case-sensitive.` : undefined
        }
      >
        {(control) => (
          <Input
            {...control}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setIsMismatch(false);
            }}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        )}
      </Field>
      {failure === null ? null : <Notice tone="danger" title={failureText(failure)} />}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="danger" pending={remove.isPending}>
          {remove.isPending ? 'Deleting…' : 'Delete organization'}
        </Button>
      </DialogActions>
    </form>
  );
}
