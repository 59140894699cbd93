'use client';

import { createAgentKeyInput } from '@penstock/api/inputs';
import { Dialog } from '@penstock/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Form, showOnce, useForm } from '../../../lib/forms';
import { useTRPC } from '../../../lib/trpc';
import { KeyFields } from './key-fields';
import { limitsOf, NO_LIMITS } from './key-limits';

interface CreateKeyDialogProps {
  clusterId: string;
  open: boolean;
  onClose: () => void;
  /** Receives the secret. It must be shown and not stored. */
  onCreated: (created: NewAgentKey) => void;
}

/** A new key's secret, and what the key may do. */
export interface NewAgentKey {
  plaintext: string;
  scope: string;
}

export function CreateKeyDialog({ clusterId, open, onClose, onCreated }: CreateKeyDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Create agent key"
      description="Gives agents access to this cluster only. The key is shown only once."
    >
      <CreateKeyForm clusterId={clusterId} onCancel={onClose} onCreated={onCreated} />
    </Dialog>
  );
}

interface CreateKeyFormProps {
  clusterId: string;
  onCancel: () => void;
  onCreated: (created: NewAgentKey) => void;
}

function CreateKeyForm({ clusterId, onCancel, onCreated }: CreateKeyFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const create = useMutation(
    trpc.agentKey.create.mutationOptions(
      showOnce(
        ({ plaintext, agentKey }) => onCreated({ plaintext, scope: agentKey.scope }),
        () => queryClient.invalidateQueries(trpc.agentKey.list.queryFilter({ clusterId })),
      ),
    ),
  );
  const form = useForm({
    initial: { name: '', scope: 'agent', ...NO_LIMITS },
    schema: createAgentKeyInput,
    toInput: ({ name, scope, ...texts }) => ({ clusterId, name, scope, ...limitsOf(texts) }),
    send: create.mutateAsync,
  });
  return (
    <Form form={form} labels={['Create key', 'Creating…']} onCancel={onCancel}>
      <KeyFields
        form={form}
        current={null}
        nameHint="Where the key is used, for example “staging, eu-west-1”. The name appears in the audit log."
        expiryHint="Leave empty for a key that doesn’t expire."
      />
    </Form>
  );
}
