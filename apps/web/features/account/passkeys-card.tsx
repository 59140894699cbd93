'use client';

import { Button, Card, Dialog, EmptyState, useToast } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import { ConfirmDialog, Form, TextField } from '../../lib/forms';
import { DataTable } from '../../lib/table';
import { QueryState, type RouterOutputs, useTRPC } from '../../lib/trpc';
import { authClient, explainRefusal, useAuthCall, useAuthForm } from '../auth';
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
          <DataTable
            label="Passkeys"
            noun="passkey"
            isPlain
            rows={list}
            rowKey={({ id }) => id}
            actions={(passkey) => (
              <Button
                size="sm"
                variant="quiet"
                onClick={() => setRemoving(passkey)}
                aria-label={`Remove passkey ${nameOf(passkey)}`}
              >
                Remove
              </Button>
            )}
            actionsPlace={{ stack: 'aside' }}
            columns={[
              {
                key: 'name',
                header: 'Name',
                stack: 'title',
                className: 'break-words font-medium text-ink',
                value: nameOf,
              },
              {
                key: 'storage',
                header: 'Storage',
                value: ({ isSynced }) => (isSynced ? 'Synced' : 'This device only'),
              },
              { key: 'added', header: 'Added', label: 'Added', value: ({ createdAt }) => createdAt },
            ]}
          />
        )}
      </QueryState>
      <AddDialog open={isAdding} onClose={() => setIsAdding(false)} />
      <RemoveDialog passkey={removing} onClose={() => setRemoving(null)} />
    </Card>
  );
}

function nameOf(passkey: Passkey): string {
  return passkey.name ?? 'Unnamed passkey';
}

function AddDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Add passkey" description="Your browser will ask where to save it.">
      <AddForm onDone={onClose} />
    </Dialog>
  );
}

const passkeyInput = z.object({ name: z.string().trim().min(1, 'Enter a name for this passkey.') });

function AddForm({ onDone }: { onDone: () => void }) {
  const toast = useToast();
  const refresh = useRefreshSecurity();
  const form = useAuthForm({
    initial: { name: '' },
    schema: passkeyInput,
    call: (input) => authClient.passkey.addPasskey(input),
    onDone: () => {
      toast({ title: 'Passkey added' });
      onDone();
      void refresh();
    },
  });
  return (
    <Form form={form} labels={['Add passkey', 'Waiting for your device…']} onCancel={onDone}>
      <TextField
        form={form}
        name="name"
        label="Name"
        hint="For example, “Work laptop” or “Security key”."
        maxLength={64}
      />
    </Form>
  );
}

function RemoveDialog({ passkey, onClose }: { passkey: Passkey | null; onClose: () => void }) {
  const toast = useToast();
  const refresh = useRefreshSecurity();
  const ask = useAuthCall();
  return (
    <ConfirmDialog
      open={passkey !== null}
      title="Remove this passkey?"
      labels={['Remove passkey', 'Removing…']}
      explain={explainRefusal}
      onClose={onClose}
      onConfirm={async () => {
        if (passkey !== null) {
          await ask(() => authClient.passkey.deletePasskey({ id: passkey.id }));
          toast({ title: 'Passkey removed' });
          onClose();
          void refresh();
        }
      }}
    >
      You can no longer sign in with it. To remove it completely, also delete it from your device.
    </ConfirmDialog>
  );
}
