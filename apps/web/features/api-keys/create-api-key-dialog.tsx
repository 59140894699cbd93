'use client';

import { createApiKeyInput } from '@penstock/api/inputs';
import type { ClusterRoleEntry } from '@penstock/tenancy/cluster-roles';
import type { Role } from '@penstock/tenancy/permissions';
import { Dialog } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { ClusterRolesField } from '../../lib/cluster-roles-field';
import { Controller, Form, SelectField, SwitchField, showOnce, TextField, useForm } from '../../lib/forms';
import { roleOptions } from '../../lib/roles';
import { useTRPC } from '../../lib/trpc';
import { useRefreshApiKeys } from './use-refresh-api-keys';

const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'none', label: 'Never' },
];

interface CreateApiKeyDialogProps {
  open: boolean;
  onClose: () => void;
  /** The roles that the user may give: no higher than their own. */
  choices: readonly Role[];
  /** Receives the secret. It must be shown and not stored. */
  onCreated: (plaintext: string) => void;
}

export function CreateApiKeyDialog({ open, onClose, choices, onCreated }: CreateApiKeyDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Create API key"
      description="Gives a program access to this organization. The key is shown only once."
    >
      <CreateApiKeyForm choices={choices} onCancel={onClose} onCreated={onCreated} />
    </Dialog>
  );
}

interface FormProps {
  choices: readonly Role[];
  onCancel: () => void;
  onCreated: (plaintext: string) => void;
}

interface Values {
  name: string;
  role: Role;
  clusterRoles: ClusterRoleEntry[];
  isReadOnly: boolean;
  lifetime: string;
}

function CreateApiKeyForm({ choices, onCancel, onCreated }: FormProps) {
  const trpc = useTRPC();
  const refresh = useRefreshApiKeys();
  const create = useMutation(
    trpc.apiKey.create.mutationOptions(showOnce(({ plaintext }) => onCreated(plaintext), refresh)),
  );
  const initial: Values = { name: '', role: 'viewer', clusterRoles: [], isReadOnly: false, lifetime: '90' };
  const form = useForm({
    initial,
    schema: createApiKeyInput,
    toInput: ({ lifetime, ...values }) => ({ ...values, lifetimeDays: lifetime === 'none' ? null : Number(lifetime) }),
    fieldOf: (path) => (path === 'lifetimeDays' ? 'lifetime' : undefined),
    send: create.mutateAsync,
  });
  return (
    <Form form={form} labels={['Create key', 'Creating…']} onCancel={onCancel}>
      <TextField
        form={form}
        name="name"
        label="Name"
        hint="The program that uses the key, for example “deployments”. The name appears in the audit log."
      />
      <SelectField form={form} name="role" label="Role" options={roleOptions(choices)} />
      <Controller
        control={form.control}
        name="clusterRoles"
        render={({ field }) => <ClusterRolesField value={field.value} onChange={field.onChange} />}
      />
      <SwitchField
        form={form}
        name="isReadOnly"
        label="Read-only"
        hint="Rejects every change, even if the role allows it."
      />
      <SelectField
        form={form}
        name="lifetime"
        label="Expires"
        hint="A rotated key keeps the same expiration date."
        options={LIFETIMES}
      />
    </Form>
  );
}
