'use client';

import { inviteMemberInput } from '@penstock/api/inputs';
import type { ClusterRoleEntry } from '@penstock/tenancy/cluster-roles';
import type { Role } from '@penstock/tenancy/permissions';
import { Button, Dialog, DialogActions, Field, Input, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ClusterRolesField } from '../../lib/cluster-roles-field';
import { firstFaults } from '../../lib/forms';
import { FailureNotice, failureText, toFailure, useTRPC } from '../../lib/trpc';
import { RoleField } from './role-field';
import { useRefreshMembers } from './use-refresh-members';

interface InviteDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  choices: readonly Role[];
}

export function InviteDialog({ open, onOpenChange, choices }: InviteDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Invite member"
      description="We’ll email a link that works once, only for this address. It expires after 7 days."
    >
      <InviteForm choices={choices} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function InviteForm({ choices, onDone }: { choices: readonly Role[]; onDone: () => void }) {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefreshMembers();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [clusterRoles, setClusterRoles] = useState<ClusterRoleEntry[]>([]);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const invite = useMutation(
    trpc.invitation.create.mutationOptions({
      onSuccess: async (invitation) => {
        await refresh();
        toast({ title: `Invitation sent to ${invitation.email}` });
        onDone();
      },
    }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = inviteMemberInput.safeParse({ email, role, clusterRoles });
    setFault(parsed.success ? undefined : firstFaults(parsed.error)['email']);
    if (parsed.success && !invite.isPending) {
      invite.mutate(parsed.data);
    }
  };
  const failure = invite.error === null ? null : toFailure(invite.error);
  const refusedEmail = failure?.field === 'email' ? failureText(failure) : undefined;
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <Field label="Email" error={fault ?? refusedEmail}>
        {(control) => (
          <Input
            {...control}
            type="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            placeholder="name@example.com"
            autoComplete="off"
          />
        )}
      </Field>
      <RoleField value={role} choices={choices} onChange={setRole} />
      <ClusterRolesField value={clusterRoles} onChange={setClusterRoles} />
      {failure !== null && refusedEmail === undefined ? <FailureNotice error={invite.error} /> : null}
      <DialogActions>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" pending={invite.isPending}>
          {invite.isPending ? 'Sending…' : 'Send invitation'}
        </Button>
      </DialogActions>
    </form>
  );
}
