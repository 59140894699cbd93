'use client';

import { createAgentKeyInput } from '@penstock/api/inputs';
import type { AgentKeyScope } from '@penstock/platform/agent-key-scope';
import { Dialog } from '@penstock/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { firstFaults, KeyForm, showOnce } from '../../../lib/forms';
import { useTRPC } from '../../../lib/trpc';
import { faultsByField, limitsOf, NO_LIMITS } from './key-limits';
import { KeyLimitsFields } from './key-limits-fields';
import { KeyScopeField } from './key-scope-field';

interface CreateKeyDialogProps {
  clusterId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Receives the secret. It must be shown and not stored. */
  onCreated: (created: NewAgentKey) => void;
}

/** A new key's secret, and what the key may do. */
export interface NewAgentKey {
  plaintext: string;
  scope: string;
}

export function CreateKeyDialog({ clusterId, open, onOpenChange, onCreated }: CreateKeyDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Create agent key"
      description="Gives agents access to this cluster only. The key is shown only once."
    >
      <CreateKeyForm clusterId={clusterId} onCancel={() => onOpenChange(false)} onCreated={onCreated} />
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
  const [name, setName] = useState('');
  const [texts, setTexts] = useState(NO_LIMITS);
  const [scope, setScope] = useState<AgentKeyScope>('agent');
  const [faults, setFaults] = useState<Readonly<Record<string, string | undefined>>>({});
  const create = useMutation(
    trpc.agentKey.create.mutationOptions(
      showOnce(
        ({ plaintext, agentKey }) => onCreated({ plaintext, scope: agentKey.scope }),
        () => queryClient.invalidateQueries(trpc.agentKey.list.queryFilter({ clusterId })),
      ),
    ),
  );
  const onSubmit = () => {
    const parsed = createAgentKeyInput.safeParse({ clusterId, name, scope, ...limitsOf(texts) });
    setFaults(parsed.success ? {} : faultsByField(firstFaults(parsed.error)));
    if (parsed.success && !create.isPending) {
      create.mutate(parsed.data);
    }
  };
  return (
    <KeyForm
      name={name}
      onNameChange={setName}
      fault={faults['name']}
      nameHint="Where the key is used, for example “staging, eu-west-1”. The name appears in the audit log."
      error={create.error}
      isPending={create.isPending}
      onCancel={onCancel}
      onSubmit={onSubmit}
    >
      <KeyScopeField current={null} scope={scope} onChange={setScope} />
      <KeyLimitsFields
        texts={texts}
        onChange={setTexts}
        faults={faults}
        expiryHint="Leave empty for a key that doesn’t expire."
      />
    </KeyForm>
  );
}
