'use client';

import {
  ActionsTh,
  Button,
  Card,
  Dialog,
  DialogActions,
  EmptyState,
  Field,
  Input,
  Notice,
  Table,
  Td,
  Th,
  Tr,
  useToast,
} from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { DateTime } from '../../lib/time';
import { QueryState, type RouterOutputs, useTRPC } from '../../lib/trpc';
import { authClient, useSubmit } from '../auth';
import { useRefreshSecurity } from './use-refresh-security';

type Passkey = RouterOutputs['account']['security']['passkeys'][number];

/** The account's passkeys. A passkey replaces the password and counts as both factors. */
export function PasskeysCard() {
  const trpc = useTRPC();
  const security = useQuery(trpc.account.security.queryOptions());
  const [isAdding, setIsAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const addButton = (
    <Button size="sm" onClick={() => setIsAdding(true)}>
      Add passkey
    </Button>
  );
  const passkeys = security.data?.passkeys;
  return (
    <Card
      title="Passkeys"
      description="Sign in with Touch ID, Face ID or a device PIN. Passkeys are resistant to phishing."
      {...(passkeys === undefined || passkeys.length === 0 ? {} : { actions: addButton })}
      flush
    >
      <QueryState
        query={{ data: passkeys, error: security.error, refetch: security.refetch }}
        label="Loading passkeys"
        rows={1}
        empty={
          <EmptyState icon={<Fingerprint />} title="No passkeys yet" action={addButton}>
            Add one on this device, a phone or a security key.
          </EmptyState>
        }
      >
        {(list) => (
          <Table label="Passkeys" stacks>
            <thead>
              <tr>
                <Th>Name</Th>
                <Th>Storage</Th>
                <Th>Added</Th>
                <ActionsTh />
              </tr>
            </thead>
            <tbody>
              {list.map((passkey) => (
                <Tr key={passkey.id}>
                  <Td className="break-words font-medium text-ink" stack="title">
                    {nameOf(passkey)}
                  </Td>
                  <Td>{passkey.isSynced ? 'Synced' : 'This device only'}</Td>
                  <Td label="Added">
                    {passkey.createdAt === null ? null : <DateTime timeMs={passkey.createdAt.getTime()} />}
                  </Td>
                  <Td className="text-right" stack="aside">
                    <Button
                      size="sm"
                      variant="quiet"
                      onClick={() => setRemoving(passkey)}
                      aria-label={`Remove passkey ${nameOf(passkey)}`}
                    >
                      Remove
                    </Button>
                  </Td>
                </Tr>
              ))}
            </tbody>
          </Table>
        )}
      </QueryState>
      <AddDialog open={isAdding} onOpenChange={setIsAdding} />
      <RemoveDialog passkey={removing} onClose={() => setRemoving(null)} />
    </Card>
  );
}

function nameOf(passkey: Passkey): string {
  return passkey.name ?? 'Unnamed passkey';
}

function AddDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add passkey"
      description="Your browser will ask where to save it."
    >
      <AddForm onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function AddForm({ onDone }: { onDone: () => void }) {
  const toast = useToast();
  const refresh = useRefreshSecurity();
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string | undefined>(undefined);
  const { pending, message, submit } = useSubmit();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const trimmed = name.trim();
    setFault(trimmed === '' ? 'Enter a name for this passkey.' : undefined);
    if (trimmed !== '') {
      void submit(
        () => authClient.passkey.addPasskey({ name: trimmed }),
        () => {
          toast({ title: 'Passkey added' });
          onDone();
          void refresh();
        },
      );
    }
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <Field label="Name" error={fault} hint="For example, “Work laptop” or “Security key”.">
        {(control) => (
          <Input
            {...control}
            value={name}
            onChange={(event) => setName(event.target.value)}
            maxLength={64}
            autoComplete="off"
          />
        )}
      </Field>
      {message === null ? null : <Notice tone="danger" title={message} />}
      <DialogActions>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" pending={pending}>
          {pending ? 'Waiting for your device…' : 'Add passkey'}
        </Button>
      </DialogActions>
    </form>
  );
}

function RemoveDialog({ passkey, onClose }: { passkey: Passkey | null; onClose: () => void }) {
  const toast = useToast();
  const refresh = useRefreshSecurity();
  const { pending, message, submit } = useSubmit();
  const remove = () => {
    if (passkey !== null) {
      void submit(
        () => authClient.passkey.deletePasskey({ id: passkey.id }),
        () => {
          toast({ title: 'Passkey removed' });
          onClose();
          void refresh();
        },
      );
    }
  };
  return (
    <Dialog
      open={passkey !== null}
      onOpenChange={(open) => {
        if (!open) {
          onClose();
        }
      }}
      title="Remove this passkey?"
      description="You can no longer sign in with it. To remove it completely, also delete it from your device."
    >
      {message === null ? null : <Notice tone="danger" title={message} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" pending={pending} onClick={remove}>
          {pending ? 'Removing…' : 'Remove passkey'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
