'use client';

import { createApiKeyInput } from '@penstock/api/inputs';
import type { Role } from '@penstock/services/permissions';
import { Button, Dialog, DialogActions, Field, Input, Select, Switch } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { firstFaults } from '../forms';
import { ROLE_TEXTS, roleOptions } from '../roles';
import { FailureNotice, useTRPC } from '../trpc';
import { useRefreshApiKeys } from './use-refresh-api-keys';

const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: 'none', label: 'Until it is revoked' },
];

interface CreateApiKeyDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Roles within the person's own. */
  choices: readonly Role[];
  /** The secret: hand it to what shows it, keep it nowhere. */
  onCreated: (plaintext: string) => void;
}

export function CreateApiKeyDialog({ open, onOpenChange, choices, onCreated }: CreateApiKeyDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Create an API key"
      description="It opens this organization to a program. You will see it once."
    >
      <CreateApiKeyForm choices={choices} onCancel={() => onOpenChange(false)} onCreated={onCreated} />
    </Dialog>
  );
}

type FormProps = { choices: readonly Role[]; onCancel: () => void; onCreated: (plaintext: string) => void };

function CreateApiKeyForm({ choices, onCancel, onCreated }: FormProps) {
  const trpc = useTRPC();
  const refresh = useRefreshApiKeys();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [isReadOnly, setIsReadOnly] = useState(false);
  const [lifetime, setLifetime] = useState('90');
  const [fault, setFault] = useState<string | undefined>(undefined);
  const create = useMutation(
    trpc.apiKey.create.mutationOptions({
      onSuccess: async ({ plaintext }) => {
        await refresh();
        onCreated(plaintext);
      },
      // The secret must not linger in the cache of mutations.
      gcTime: 0,
    }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const lifetimeDays = lifetime === 'none' ? null : Number(lifetime);
    const parsed = createApiKeyInput.safeParse({ name, role, isReadOnly, lifetimeDays });
    setFault(parsed.success ? undefined : firstFaults(parsed.error)['name']);
    if (parsed.success && !create.isPending) {
      create.mutate(parsed.data);
    }
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <Field
        label="Name"
        error={fault}
        hint="The program that will use it, e.g. “deployments”. It appears in the audit log."
      >
        {(control) => (
          <Input {...control} value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" />
        )}
      </Field>
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
      <Field label="Read-only" hint="Refuses whatever changes something, whatever the role allows.">
        {(control) => <Switch {...control} checked={isReadOnly} onCheckedChange={setIsReadOnly} />}
      </Field>
      <Field label="Ends" hint="A rotation takes the same end over.">
        {(control) => <Select {...control} value={lifetime} options={LIFETIMES} onValueChange={setLifetime} />}
      </Field>
      {create.error === null ? null : <FailureNotice error={create.error} />}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pending={create.isPending}>
          {create.isPending ? 'Creating…' : 'Create key'}
        </Button>
      </DialogActions>
    </form>
  );
}
