'use client';

import { createApiKeyInput } from '@penstock/api/inputs';
import type { ClusterRoleEntry } from '@penstock/tenancy/cluster-roles';
import type { Role } from '@penstock/tenancy/permissions';
import { Dialog, Field, Select, Switch } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ClusterRolesField } from '../../lib/cluster-roles-field';
import { firstFaults, KeyForm, showOnce } from '../../lib/forms';
import { ROLE_TEXTS, roleOptions } from '../../lib/roles';
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
  onOpenChange: (open: boolean) => void;
  /** The roles that the user may give: no higher than their own. */
  choices: readonly Role[];
  /** Receives the secret. It must be shown and not stored. */
  onCreated: (plaintext: string) => void;
}

export function CreateApiKeyDialog({ open, onOpenChange, choices, onCreated }: CreateApiKeyDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Create API key"
      description="Gives a program access to this organization. The key is shown only once."
    >
      <CreateApiKeyForm choices={choices} onCancel={() => onOpenChange(false)} onCreated={onCreated} />
    </Dialog>
  );
}

interface FormProps {
  choices: readonly Role[];
  onCancel: () => void;
  onCreated: (plaintext: string) => void;
}

function CreateApiKeyForm({ choices, onCancel, onCreated }: FormProps) {
  const trpc = useTRPC();
  const refresh = useRefreshApiKeys();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [clusterRoles, setClusterRoles] = useState<ClusterRoleEntry[]>([]);
  const [isReadOnly, setIsReadOnly] = useState(false);
  const [lifetime, setLifetime] = useState('90');
  const [fault, setFault] = useState<string | undefined>(undefined);
  const create = useMutation(
    trpc.apiKey.create.mutationOptions(showOnce(({ plaintext }) => onCreated(plaintext), refresh)),
  );
  const onSubmit = () => {
    const lifetimeDays = lifetime === 'none' ? null : Number(lifetime);
    const parsed = createApiKeyInput.safeParse({ name, role, clusterRoles, isReadOnly, lifetimeDays });
    setFault(parsed.success ? undefined : firstFaults(parsed.error)['name']);
    if (parsed.success && !create.isPending) {
      create.mutate(parsed.data);
    }
  };
  return (
    <KeyForm
      name={name}
      onNameChange={setName}
      fault={fault}
      nameHint="The program that uses the key, for example “deployments”. The name appears in the audit log."
      error={create.error}
      isPending={create.isPending}
      onCancel={onCancel}
      onSubmit={onSubmit}
    >
      <Field label="Role" hint={ROLE_TEXTS[role].meaning}>
        {(control) => (
          <Select
            {...control}
            value={role}
            options={roleOptions(choices)}
            onValueChange={(text) => setRole(choices.find((choice) => choice === text) ?? role)}
          />
        )}
      </Field>
      <ClusterRolesField value={clusterRoles} onChange={setClusterRoles} />
      <Field label="Read-only" hint="Rejects every change, even if the role allows it.">
        {(control) => <Switch {...control} checked={isReadOnly} onCheckedChange={setIsReadOnly} />}
      </Field>
      <Field label="Expires" hint="A rotated key keeps the same expiration date.">
        {(control) => <Select {...control} value={lifetime} options={LIFETIMES} onValueChange={setLifetime} />}
      </Field>
    </KeyForm>
  );
}
