'use client';

import { Dialog } from '@penstock/ui';
import { z } from 'zod';
import { Form, SelectField, TextField, useForm, useWatch } from '../../../lib/forms';
import { PRESETS, presetAcls } from './acl-presets';
import { useCreateAcls } from './use-create-acls';

const PATTERNS = [
  { value: 'exact', label: 'This topic' },
  { value: 'prefix', label: 'All topics that start with it' },
] as const;

const MAX_NAME = 'Use at most 1,024 characters.';

const aclFields = z
  .object({
    preset: z.enum(PRESETS.map(({ value }) => value)),
    user: z.string().min(1, 'Enter the name of a user, or * for everyone.').max(1_000, 'Use at most 1,000 characters.'),
    name: z.string().min(1, 'Enter a name.').max(1_024, MAX_NAME),
    pattern: z.enum(['exact', 'prefix']),
    group: z.string().max(1_024, MAX_NAME),
  })
  .refine(({ preset, group }) => preset !== 'consumer' || group !== '', {
    path: ['group'],
    error: 'Enter the name of the consumer group.',
  });

interface CreateAclsDialogProps {
  clusterId: string;
  open: boolean;
  onClose: () => void;
}

export function CreateAclsDialog({ clusterId, open, onClose }: CreateAclsDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Add ACLs"
      description="Choose what the client does. For other ACLs, use kafka-acls or penstock acl create."
    >
      <CreateAclsForm clusterId={clusterId} onDone={onClose} />
    </Dialog>
  );
}

function CreateAclsForm({ clusterId, onDone }: { clusterId: string; onDone: () => void }) {
  const create = useCreateAcls(clusterId, onDone);
  const initial: z.infer<typeof aclFields> = { preset: 'producer', user: '', name: '', pattern: 'exact', group: '' };
  const form = useForm({
    initial,
    schema: aclFields,
    send: ({ pattern, ...fields }) =>
      create.mutateAsync({ clusterId, acls: presetAcls({ ...fields, isPrefix: pattern === 'prefix' }) }),
  });
  const preset = useWatch({ control: form.control, name: 'preset' });
  return (
    <Form form={form} labels={['Add ACLs', 'Adding…']} onCancel={onDone}>
      <SelectField form={form} name="preset" label="Client" options={PRESETS} />
      <TextField form={form} name="user" label="User" hint="The name of a user. Use * for everyone." />
      <TextField form={form} name="name" label={PRESETS.find(({ value }) => value === preset)?.nameLabel ?? 'Name'} />
      {preset === 'producer' || preset === 'consumer' ? (
        <SelectField form={form} name="pattern" label="Applies to" options={PATTERNS} />
      ) : null}
      {preset === 'consumer' ? <TextField form={form} name="group" label="Consumer group" /> : null}
    </Form>
  );
}
