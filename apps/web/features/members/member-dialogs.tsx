'use client';

// The actions on a member, each with a confirmation.
import { clusterRoleEntries, memberRole } from '@penstock/identity/inputs';
import type { Role } from '@penstock/tenancy/permissions';
import { Dialog, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { z } from 'zod';
import { ClusterRolesField } from '../../lib/cluster-roles-field';
import { ConfirmDialog, Controller, Form, SelectField, useForm } from '../../lib/forms';
import { ROLE_TEXTS, roleOptions } from '../../lib/roles';
import { type RouterOutputs, useTRPC } from '../../lib/trpc';
import { EndingKeys } from './ending-keys';
import { useRefreshMembers } from './use-refresh-members';

const changeRoleInput = z.object({ role: memberRole, clusterRoles: clusterRoleEntries });

export type Member = RouterOutputs['organization']['listMembers'][number];

interface MemberDialogProps {
  member: Member | null;
  onClose: () => void;
}

export function ChangeRoleDialog({ member, onClose, choices }: MemberDialogProps & { choices: readonly Role[] }) {
  return (
    <Dialog
      open={member !== null}
      onClose={onClose}
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
  const change = useMutation(
    trpc.member.changeRole.mutationOptions({
      onSuccess: async (changed) => {
        await refresh();
        toast({ title: `${member.name}: ${ROLE_TEXTS[changed.role].label}` });
        onClose();
      },
    }),
  );
  const form = useForm({
    initial: { role: member.role, clusterRoles: member.clusterRoles },
    schema: changeRoleInput,
    send: (input) => change.mutateAsync({ userId: member.userId, ...input }),
  });
  return (
    <Form form={form} labels={['Change role', 'Changing…']} onCancel={onClose}>
      <SelectField form={form} name="role" label="Role" options={roleOptions(choices)} />
      <Controller
        control={form.control}
        name="clusterRoles"
        render={({ field }) => <ClusterRolesField value={field.value} onChange={field.onChange} />}
      />
    </Form>
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
      onClose={onClose}
      onConfirm={async () => {
        if (member !== null) {
          await remove.mutateAsync({ userId: member.userId });
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
      onClose={onClose}
      onConfirm={async () => {
        if (member !== null) {
          await transfer.mutateAsync({ userId: member.userId });
        }
      }}
    >
      They become an owner and you become an admin. Only an owner can transfer ownership back to you.
    </ConfirmDialog>
  );
}
