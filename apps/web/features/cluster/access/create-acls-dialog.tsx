'use client';

import { Dialog, Field, Select } from '@penstock/ui';
import { useState } from 'react';
import { AclForm, NameField } from './acl-form';
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
  const [preset, setPreset] = useState<Preset>('producer');
  const [user, setUser] = useState('');
  const [name, setName] = useState('');
  const [pattern, setPattern] = useState<'exact' | 'prefix'>('exact');
  const [group, setGroup] = useState('');
  const isTopic = preset === 'producer' || preset === 'consumer';
  return (
    <AclForm
      clusterId={clusterId}
      acls={presetAcls({ preset, user, name, isPrefix: pattern === 'prefix', group })}
      submitLabel="Add ACLs"
      requirement="Use at most 1,024 characters for each name."
      onDone={onDone}
    >
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
      <NameField label="User" hint="The name of a user. Use * for everyone." value={user} onChange={setUser} />
      <NameField
        label={PRESETS.find(({ value }) => value === preset)?.nameLabel ?? 'Name'}
        value={name}
        onChange={setName}
      />
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
      {preset === 'consumer' ? <NameField label="Consumer group" value={group} onChange={setGroup} /> : null}
    </AclForm>
  );
}
