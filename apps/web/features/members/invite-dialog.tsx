'use client';

import { inviteMemberInput } from '@penstock/api/inputs';
import type { ClusterRoleEntry } from '@penstock/tenancy/cluster-roles';
import type { Role } from '@penstock/tenancy/permissions';
import { Dialog, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { ClusterRolesField } from '../../lib/cluster-roles-field';
import { Controller, Form, SelectField, TextField, useForm } from '../../lib/forms';
import { roleOptions } from '../../lib/roles';
import { useTRPC } from '../../lib/trpc';
import { useRefreshMembers } from './use-refresh-members';

interface InviteDialogProps {
  open: boolean;
  onClose: () => void;
  choices: readonly Role[];
}

export function InviteDialog({ open, onClose, choices }: InviteDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Invite member"
      description="We’ll email a link that works once, only for this address. It expires after 7 days."
    >
      <InviteForm choices={choices} onDone={onClose} />
    </Dialog>
  );
}

interface InviteValues {
  email: string;
  role: Role;
  clusterRoles: ClusterRoleEntry[];
}

function InviteForm({ choices, onDone }: { choices: readonly Role[]; onDone: () => void }) {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefreshMembers();
  const invite = useMutation(
    trpc.invitation.create.mutationOptions({
      onSuccess: async (invitation) => {
        await refresh();
        toast({ title: `Invitation sent to ${invitation.email}` });
        onDone();
      },
    }),
  );
  const initial: InviteValues = { email: '', role: 'viewer', clusterRoles: [] };
  const form = useForm({ initial, schema: inviteMemberInput, send: invite.mutateAsync });
  return (
    <Form form={form} labels={['Send invitation', 'Sending…']} onCancel={onDone}>
      <TextField form={form} name="email" label="Email" type="email" placeholder="name@example.com" />
      <SelectField form={form} name="role" label="Role" options={roleOptions(choices)} />
      <Controller
        control={form.control}
        name="clusterRoles"
        render={({ field }) => <ClusterRolesField value={field.value} onChange={field.onChange} />}
      />
    </Form>
  );
}
