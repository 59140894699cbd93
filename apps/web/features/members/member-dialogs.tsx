'use client';

// The actions on a member, each with a confirmation.
import type { Role } from '@penstock/tenancy/permissions';
import { Button, Dialog, DialogActions, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ClusterRolesField } from '../../lib/cluster-roles-field';
import { ConfirmDialog } from '../../lib/forms';
import { ROLE_TEXTS } from '../../lib/roles';
import { FailureNotice, type RouterOutputs, useTRPC } from '../../lib/trpc';
import { EndingKeys } from './ending-keys';
import { RoleField } from './role-field';
import { useRefreshMembers } from './use-refresh-members';

export type Member = RouterOutputs['organization']['listMembers'][number];

interface MemberDialogProps {
  member: Member | null;
  onClose: () => void;
}

export function ChangeRoleDialog({ member, onClose, choices }: MemberDialogProps & { choices: readonly Role[] }) {
  return (
    <Dialog
      open={member !== null}
      onOpenChange={(open) => {
        if (!open) {
          onClose();
        }
      }}
      title="Change role"
      {...(member === null ? {} : { description: `For ${member.name} (${member.email}). Takes effect immediately.` })}
    >
      {member === null ? null : <ChangeRoleForm member={member} choices={choices} onClose={onClose} />}
    </Dialog>
  );
}

function ChangeRoleForm({
  member,
  choices,
  onClose,
}: {
  member: Member;
  choices: readonly Role[];
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefreshMembers();
  const [role, setRole] = useState(member.role);
  const [clusterRoles, setClusterRoles] = useState(member.clusterRoles);
  const change = useMutation(
    trpc.member.changeRole.mutationOptions({
      onSuccess: async (changed) => {
        await refresh();
        toast({ title: `${member.name}: ${ROLE_TEXTS[changed.role].label}` });
        onClose();
      },
    }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!change.isPending) {
      change.mutate({ userId: member.userId, role, clusterRoles });
    }
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <RoleField value={role} choices={choices} onChange={setRole} />
      <ClusterRolesField value={clusterRoles} onChange={setClusterRoles} />
      {change.error === null ? null : <FailureNotice error={change.error} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" pending={change.isPending}>
          {change.isPending ? 'Changing…' : 'Change role'}
        </Button>
      </DialogActions>
    </form>
  );
}

export function RemoveMemberDialog({ member, onClose }: MemberDialogProps) {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefreshMembers();
  const remove = useMutation(
    trpc.member.remove.mutationOptions({
      onSuccess: async () => {
        await refresh();
        toast({ title: `${member?.name ?? 'The member'} was removed` });
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      open={member !== null}
      title="Remove this member?"
      expected={member?.email ?? ''}
      labels={['Remove member', 'Removing…']}
      mutation={remove}
      onClose={onClose}
      onConfirm={() => {
        if (member !== null) {
          remove.mutate({ userId: member.userId });
        }
      }}
    >
      They lose access immediately, including on pages they have open. Single sign-on doesn’t let them in again until
      someone invites them.
      {member === null ? null : <EndingKeys userId={member.userId} whose="they" />} Agent keys they created keep
      working. Revoke those keys if you no longer trust this person.
    </ConfirmDialog>
  );
}

export function TransferOwnershipDialog({ member, onClose }: MemberDialogProps) {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefreshMembers();
  const transfer = useMutation(
    trpc.member.transferOwnership.mutationOptions({
      onSuccess: async () => {
        await refresh();
        toast({ title: `${member?.name ?? 'The member'} is now an owner`, description: 'You’re now an admin.' });
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      open={member !== null}
      title="Transfer ownership?"
      expected={member?.email ?? ''}
      labels={['Transfer ownership', 'Transferring…']}
      mutation={transfer}
      onClose={onClose}
      onConfirm={() => {
        if (member !== null) {
          transfer.mutate({ userId: member.userId });
        }
      }}
    >
      They become an owner and you become an admin. Only an owner can transfer ownership back to you.
    </ConfirmDialog>
  );
}
