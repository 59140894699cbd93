'use client';

import { createAclsInput } from '@penstock/api/inputs';
import { Button, DialogActions, Field, Input, Notice, useToast } from '@penstock/ui';
import { formatCountOf } from '@penstock/units';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { FailureNotice, useTRPC } from '../../../lib/trpc';
import type { Acl } from './acl-presets';

interface AclFormProps {
  clusterId: string;
  /** What the fields say: the ACLs to add. */
  acls: readonly Acl[];
  submitLabel: string;
  /** What the fields need, shown when one is missing. */
  requirement: string;
  onDone: () => void;
  /** The fields. */
  children: ReactNode;
}

/** A form in a dialog that adds ACLs. */
export function AclForm({ clusterId, acls, submitLabel, requirement, onDone, children }: AclFormProps) {
  const trpc = useTRPC();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [isIncomplete, setIsIncomplete] = useState(false);
  const create = useMutation(
    trpc.access.createAcls.mutationOptions({
      onSuccess: async ({ created, refused: [refused] }) => {
        await queryClient.invalidateQueries(trpc.access.listAcls.queryFilter({ clusterId }));
        toast({
          title: `${formatCountOf(created.length, 'ACL')} added`,
          description: refused?.message ?? 'Agents apply them within seconds.',
        });
        onDone();
      },
    }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = createAclsInput.safeParse({ clusterId, acls });
    setIsIncomplete(!parsed.success);
    if (parsed.success && !create.isPending) {
      create.mutate(parsed.data);
    }
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      {children}
      {isIncomplete ? (
        <Notice tone="danger" title="Fill in all fields">
          {requirement}
        </Notice>
      ) : null}
      {create.error === null ? null : <FailureNotice error={create.error} />}
      <DialogActions>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" pending={create.isPending}>
          {create.isPending ? 'Adding…' : submitLabel}
        </Button>
      </DialogActions>
    </form>
  );
}

interface NameFieldProps {
  label: string;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
}

/** The name of a user, topic or group. */
export function NameField({ label, hint, value, onChange }: NameFieldProps) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(control) => (
        <Input {...control} value={value} onChange={(event) => onChange(event.target.value)} autoComplete="off" />
      )}
    </Field>
  );
}
