'use client';

import { createAclsInput } from '@penstock/api/inputs';
import { Button, Dialog, DialogActions, Field, Input, Notice, Select, useToast } from '@penstock/ui';
import { formatCountOf } from '@penstock/units';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { FailureNotice, useTRPC } from '../../../lib/trpc';
import { PRESETS, type Preset, presetAcls } from './acl-presets';

const PATTERNS = [
  { value: 'exact', label: 'This topic' },
  { value: 'prefix', label: 'All topics that start with it' },
] as const;

interface CreateAclsDialogProps {
  clusterId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function CreateAclsDialog({ clusterId, open, onOpenChange }: CreateAclsDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add ACLs"
      description="Choose what the client does. For other ACLs, use kafka-acls or penstock acl create."
    >
      <CreateAclsForm clusterId={clusterId} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function CreateAclsForm({ clusterId, onDone }: { clusterId: string; onDone: () => void }) {
  const trpc = useTRPC();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [preset, setPreset] = useState<Preset>('producer');
  const [user, setUser] = useState('');
  const [name, setName] = useState('');
  const [pattern, setPattern] = useState<'exact' | 'prefix'>('exact');
  const [group, setGroup] = useState('');
  const [isIncomplete, setIsIncomplete] = useState(false);
  const create = useMutation(
    trpc.access.createAcls.mutationOptions({
      onSuccess: async ({ created, refused }) => {
        await queryClient.invalidateQueries(trpc.access.listAcls.queryFilter({ clusterId }));
        const [first] = refused;
        toast({
          title: `${formatCountOf(created.length, 'ACL')} added`,
          ...(first !== undefined && { description: first.message }),
        });
        onDone();
      },
    }),
  );
  const isTopic = preset === 'producer' || preset === 'consumer';
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const acls = presetAcls({ preset, user, name, isPrefix: pattern === 'prefix', group });
    const parsed = createAclsInput.safeParse({ clusterId, acls });
    setIsIncomplete(!parsed.success);
    if (parsed.success && !create.isPending) {
      create.mutate(parsed.data);
    }
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <Field label="Client">
        {(control) => (
          <Select
            {...control}
            value={preset}
            options={PRESETS}
            onValueChange={(chosen) => setPreset(PRESETS.find(({ value }) => value === chosen)?.value ?? 'producer')}
          />
        )}
      </Field>
      <Field label="User" hint="The name of a user. Use * for everyone.">
        {(control) => (
          <Input {...control} value={user} onChange={(event) => setUser(event.target.value)} autoComplete="off" />
        )}
      </Field>
      <Field label={PRESETS.find(({ value }) => value === preset)?.nameLabel ?? 'Name'}>
        {(control) => (
          <Input {...control} value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" />
        )}
      </Field>
      {isTopic ? (
        <Field label="Applies to">
          {(control) => (
            <Select
              {...control}
              value={pattern}
              options={PATTERNS}
              onValueChange={(chosen) => setPattern(chosen === 'prefix' ? 'prefix' : 'exact')}
            />
          )}
        </Field>
      ) : null}
      {preset === 'consumer' ? (
        <Field label="Consumer group">
          {(control) => (
            <Input {...control} value={group} onChange={(event) => setGroup(event.target.value)} autoComplete="off" />
          )}
        </Field>
      ) : null}
      {isIncomplete ? (
        <Notice tone="danger" title="Fill in all fields">
          Use at most 1,024 characters for each name.
        </Notice>
      ) : null}
      {create.error === null ? null : <FailureNotice error={create.error} />}
      <DialogActions>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" pending={create.isPending}>
          {create.isPending ? 'Adding…' : 'Add ACLs'}
        </Button>
      </DialogActions>
    </form>
  );
}
