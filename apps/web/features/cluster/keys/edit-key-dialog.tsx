'use client';

import { updateAgentKeyInput } from '@penstock/api/inputs';
import { agentKeyScopeOf } from '@penstock/platform/agent-key-scope';
import { Dialog, useToast } from '@penstock/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Form, useForm } from '../../../lib/forms';
import { type RouterOutputs, useTRPC } from '../../../lib/trpc';
import { KeyFields } from './key-fields';
import { limitsOf } from './key-limits';

type AgentKey = RouterOutputs['agentKey']['list'][number];

interface EditKeyDialogProps {
  clusterId: string;
  agentKey: AgentKey | null;
  onClose: () => void;
}

export function EditKeyDialog({ clusterId, agentKey, onClose }: EditKeyDialogProps) {
  return (
    <Dialog
      open={agentKey !== null}
      onClose={onClose}
      title="Edit agent key"
      description="Agents notice changes within seconds."
    >
      {agentKey === null ? null : <EditKeyForm clusterId={clusterId} agentKey={agentKey} onClose={onClose} />}
    </Dialog>
  );
}

function EditKeyForm({ clusterId, agentKey, onClose }: EditKeyDialogProps & { agentKey: AgentKey }) {
  const trpc = useTRPC();
  const toast = useToast();
  const queryClient = useQueryClient();
  const update = useMutation(
    trpc.agentKey.update.mutationOptions({
      onSuccess: async (key) => {
        await queryClient.invalidateQueries(trpc.agentKey.list.queryFilter({ clusterId }));
        toast({ title: `Key “${key.name}” saved`, description: 'Agents notice changes within seconds.' });
        onClose();
      },
    }),
  );
  const form = useForm({
    initial: {
      name: agentKey.name,
      scope: agentKey.scope,
      lifetimeDays: '',
      networks: agentKey.networks.join(', '),
      addresses: agentKey.addresses.join(', '),
    },
    schema: updateAgentKeyInput,
    toInput: ({ name, scope, ...texts }) => {
      const { lifetimeDays, ...lists } = limitsOf(texts);
      return {
        agentKeyId: agentKey.id,
        name,
        ...lists,
        ...(agentKeyScopeOf(scope) === undefined ? {} : { scope }),
        ...(lifetimeDays === null ? {} : { lifetimeDays }),
      };
    },
    send: update.mutateAsync,
  });
  return (
    <Form form={form} labels={['Save', 'Saving…']} onCancel={onClose}>
      <KeyFields
        form={form}
        current={agentKey.scope}
        expiryHint={
          agentKey.expiresAt === null
            ? 'Counts from now. The key doesn’t expire if you leave this empty.'
            : 'Counts from now. Leave empty to keep the date.'
        }
      />
    </Form>
  );
}
