'use client';

import { putUserCredentialInput } from '@penstock/api/inputs';
import { Dialog, Notice } from '@penstock/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { Form, SelectField, showOnce, TextField, useForm } from '../../../lib/forms';
import { useTRPC } from '../../../lib/trpc';
import { canDerive, deriveVerifier, generatePassword, type Mechanism } from './derive-verifier';
import type { SignIn } from './sign-in.types';

const MECHANISMS: readonly { value: Mechanism; label: string }[] = [
  { value: 'SCRAM-SHA-512', label: 'SCRAM-SHA-512 (recommended)' },
  { value: 'SCRAM-SHA-256', label: 'SCRAM-SHA-256' },
];

const newUser = z.object({
  user: putUserCredentialInput.shape.user,
  mechanism: z.enum(['SCRAM-SHA-512', 'SCRAM-SHA-256']),
});

interface CreateUserDialogProps {
  clusterId: string;
  /** Whether clients that don’t sign in lose access with this user. */
  locksOutOthers: boolean;
  open: boolean;
  onClose: () => void;
  /** Receives the password. It must be shown and not stored. */
  onCreated: (signIn: SignIn) => void;
}

export function CreateUserDialog({ open, onClose, ...form }: CreateUserDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Create user"
      description="The password is generated in your browser and shown only once. If the user exists, its password is replaced."
    >
      <CreateUserForm {...form} onCancel={onClose} />
    </Dialog>
  );
}

function CreateUserForm({
  clusterId,
  locksOutOthers,
  onCancel,
  onCreated,
}: Omit<CreateUserDialogProps, 'open' | 'onClose'> & { onCancel: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const put = useMutation(trpc.access.putUserCredential.mutationOptions());
  const create = useMutation({
    mutationFn: async ({ user, mechanism }: z.infer<typeof newUser>): Promise<SignIn> => {
      const password = generatePassword();
      await put.mutateAsync({ clusterId, user, ...(await deriveVerifier(mechanism, password)) });
      return { user, password, mechanism };
    },
    ...showOnce(onCreated, () => queryClient.invalidateQueries(trpc.access.listUsers.queryFilter({ clusterId }))),
  });
  const initial: z.infer<typeof newUser> = { user: '', mechanism: 'SCRAM-SHA-512' };
  const form = useForm({ initial, schema: newUser, send: create.mutateAsync });
  if (!canDerive()) {
    return (
      <Notice tone="warn" title="This page isn’t loaded over HTTPS">
        Browsers derive credentials only on secure pages. Use the command line instead: penstock user create.
      </Notice>
    );
  }
  return (
    <Form form={form} labels={['Create user', 'Creating…']} onCancel={onCancel}>
      {locksOutOthers ? (
        <Notice tone="warn" title="All clients must sign in from now on">
          This is the cluster’s first user. Clients that connect without a password lose access. To let them connect,
          set “Require authentication” to “Never” first.
        </Notice>
      ) : null}
      <TextField
        form={form}
        name="user"
        label="Name"
        hint="Clients use it to sign in. ACLs call it User:name."
        spellCheck={false}
      />
      <SelectField form={form} name="mechanism" label="Mechanism" options={MECHANISMS} />
    </Form>
  );
}
