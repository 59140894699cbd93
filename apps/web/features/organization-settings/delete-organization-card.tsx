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
        Everybody loses access at once: clusters are out of reach for their clients, protected ones too, and all keys
        are revoked. For 30 days an owner can restore it from their account page. What was used this month is billed at
        the month’s end; invoices and the audit log are kept.
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
  const [password, setPassword] = useState('');
  const [isMismatch, setIsMismatch] = useState(false);
  const remove = useMutation(
    trpc.organization.delete.mutationOptions({
      // A full load: nothing of the organization stays in memory.
      onSuccess: () => window.location.assign('/app/account'),
    }),
  );
  const failure = remove.error === null ? null : toFailure(remove.error);
  const passwordFault = failure?.field === 'password' ? failureText(failure) : undefined;
  // Asked for once the server says that the sign-in was too long ago.
  const needsPassword = passwordFault !== undefined || password !== '';
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsMismatch(typed !== organizationName);
    if (typed === organizationName && !remove.isPending) {
      remove.mutate({ confirmation: typed, password: password === '' ? null : password });
    }
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <p className="text-ink-2 text-sm leading-6">
        Its clusters, keys, members and settings are out of reach from now on, and gone for good after 30 days. The data
        files in your bucket are yours: we cannot and do not remove them.
      </p>
      <Field
        label={
          <>
            Type <span className="rounded bg-inset px-1.5 py-0.5 font-mono text-[0.8125rem]">{organizationName}</span>{' '}
            to confirm
          </>
        }
        error={
          isMismatch ? `This does not match. Type “${organizationName}” exactly, in upper and lower case.` : undefined
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
      {needsPassword ? (
        <Field label="Your password" error={passwordFault}>
          {(control) => (
            <Input
              {...control}
              type="password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
              autoComplete="current-password"
            />
          )}
        </Field>
      ) : null}
      {failure === null || passwordFault !== undefined ? null : <Notice tone="danger" title={failureText(failure)} />}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="danger" pending={remove.isPending}>
          {remove.isPending ? 'Deleting…' : 'Delete organization'}
        </Button>
      </DialogActions>
    </form>
  );
}
