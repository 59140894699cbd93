'use client';

import { updateSecuritySettingsInput } from '@penstock/api/inputs';
import { Card, SkeletonRows, useToast } from '@penstock/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Form, SelectField, TextField, useForm } from '../../../lib/forms';
import { useMay } from '../../../lib/session';
import { FailureNotice, type RouterOutputs, useTRPC } from '../../../lib/trpc';

type Settings = RouterOutputs['access']['getSettings'];

const MODES: readonly { value: Settings['aclMode']; label: string; hint: string }[] = [
  { value: 'disabled', label: 'Disabled', hint: 'ACLs are stored but not checked. Every client may do everything.' },
  {
    value: 'shadow',
    label: 'Shadow',
    hint: 'Agents check ACLs and log what they would deny, but allow it. Use this to test ACLs before you enforce them.',
  },
  { value: 'enforced', label: 'Enforced', hint: 'Agents deny what no ACL allows. Super users may do everything.' },
];

const REQUIREMENTS: readonly { value: Settings['authentication']; label: string; hint: string }[] = [
  {
    value: 'when-credentials-exist',
    label: 'When the cluster has users',
    hint: 'As soon as you create a user, clients must sign in.',
  },
  { value: 'always', label: 'Always', hint: 'Clients must sign in.' },
  { value: 'never', label: 'Never', hint: 'Clients may sign in. Others connect as User:ANONYMOUS.' },
];

interface AccessSettingsCardProps {
  clusterId: string;
  settings: { data: Settings | undefined; error: unknown; refetch: () => unknown };
}

export function AccessSettingsCard({ clusterId, settings }: AccessSettingsCardProps) {
  return (
    <Card title="Access control" description="Agents apply changes within seconds.">
      {settings.data === undefined ? (
        settings.error === null ? (
          <SkeletonRows rows={3} label="Loading access settings" />
        ) : (
          <FailureNotice error={settings.error} onRetry={() => void settings.refetch()} />
        )
      ) : (
        <SettingsForm clusterId={clusterId} settings={settings.data} />
      )}
    </Card>
  );
}

function SettingsForm({ clusterId, settings }: { clusterId: string; settings: Settings }) {
  const trpc = useTRPC();
  const toast = useToast();
  const queryClient = useQueryClient();
  const mayWrite = useMay()('access:write');
  const update = useMutation(
    trpc.access.updateSettings.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.access.getSettings.queryFilter({ clusterId }));
        toast({ title: 'Access settings saved', description: 'Agents apply them within seconds.' });
      },
    }),
  );
  const form = useForm({
    initial: { ...settings, superUsers: settings.superUsers.join(', ') },
    schema: updateSecuritySettingsInput,
    toInput: ({ aclMode, authentication, superUsers }) => ({
      clusterId,
      aclMode,
      authentication,
      superUsers: principalsOf(superUsers),
    }),
    send: update.mutateAsync,
  });
  return (
    <Form form={form} labels={mayWrite ? ['Save', 'Saving…'] : null} className="max-w-2xl">
      <SelectField form={form} name="aclMode" label="ACLs" options={MODES} />
      <SelectField form={form} name="authentication" label="Require authentication" options={REQUIREMENTS} />
      <TextField
        form={form}
        name="superUsers"
        label="Super users"
        hint="Principals that may do everything, separated by commas, for example User:admin."
        className="font-mono"
      />
    </Form>
  );
}

function principalsOf(text: string): string[] {
  return text
    .split(',')
    .map((principal) => principal.trim())
    .filter((principal) => principal !== '');
}
