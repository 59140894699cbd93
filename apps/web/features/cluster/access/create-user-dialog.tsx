'use client';

import { putUserCredentialInput } from '@penstock/api/inputs';
import { Button, Dialog, DialogActions, Field, Input, Notice, Select } from '@penstock/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { firstFaults, showOnce } from '../../../lib/forms';
import { FailureNotice, useTRPC } from '../../../lib/trpc';
import { canDerive, deriveVerifier, generatePassword, type Mechanism } from './derive-verifier';
import type { SignIn } from './sign-in.types';

const MECHANISMS: readonly { value: Mechanism; label: string }[] = [
  { value: 'SCRAM-SHA-512', label: 'SCRAM-SHA-512 (recommended)' },
  { value: 'SCRAM-SHA-256', label: 'SCRAM-SHA-256' },
];

interface CreateUserDialogProps {
  clusterId: string;
  /** Whether clients that don’t sign in lose access with this user. */
  locksOutOthers: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Receives the password. It must be shown and not stored. */
  onCreated: (signIn: SignIn) => void;
}

export function CreateUserDialog({ open, onOpenChange, ...form }: CreateUserDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Create user"
      description="The password is generated in your browser and shown only once. If the user exists, its password is replaced."
    >
      <CreateUserForm {...form} onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

function CreateUserForm({
  clusterId,
  locksOutOthers,
  onCancel,
  onCreated,
}: Omit<CreateUserDialogProps, 'open' | 'onOpenChange'> & { onCancel: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [user, setUser] = useState('');
  const [mechanism, setMechanism] = useState<Mechanism>('SCRAM-SHA-512');
  const [fault, setFault] = useState<string | undefined>(undefined);
  const put = useMutation(trpc.access.putUserCredential.mutationOptions());
  const create = useMutation({
    mutationFn: async (): Promise<SignIn> => {
      const password = generatePassword();
      await put.mutateAsync({ clusterId, user, ...(await deriveVerifier(mechanism, password)) });
      return { user, password, mechanism };
    },
    ...showOnce(onCreated, () => queryClient.invalidateQueries(trpc.access.listUsers.queryFilter({ clusterId }))),
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = putUserCredentialInput.shape.user.safeParse(user);
    setFault(parsed.success ? undefined : firstFaults(parsed.error)['']);
    if (parsed.success && !create.isPending) {
      create.mutate();
    }
  };
  if (!canDerive()) {
    return (
      <Notice tone="warn" title="This page isn’t loaded over HTTPS">
        Browsers derive credentials only on secure pages. Use the command line instead: penstock user create.
      </Notice>
    );
  }
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      {locksOutOthers ? (
        <Notice tone="warn" title="All clients must sign in from now on">
          This is the cluster’s first user. Clients that connect without a password lose access. To let them connect,
          set “Require authentication” to “Never” first.
        </Notice>
      ) : null}
      <Field label="Name" error={fault} hint="Clients use it to sign in. ACLs call it User:name.">
        {(control) => (
          <Input
            {...control}
            value={user}
            onChange={(event) => setUser(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label="Mechanism">
        {(control) => (
          <Select
            {...control}
            value={mechanism}
            options={MECHANISMS}
            onValueChange={(chosen) =>
              setMechanism(MECHANISMS.find(({ value }) => value === chosen)?.value ?? 'SCRAM-SHA-512')
            }
          />
        )}
      </Field>
      {create.error === null ? null : <FailureNotice error={create.error} />}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pending={create.isPending}>
          {create.isPending ? 'Creating…' : 'Create user'}
        </Button>
      </DialogActions>
    </form>
  );
}
