'use client';

import { updateAgentKeyInput } from '@penstock/api/inputs';
import { agentKeyScopeOf } from '@penstock/platform/agent-key-scope';
import { Button, Dialog, DialogActions, Field, Input, useToast } from '@penstock/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { firstFaults } from '../../../lib/forms';
import { FailureNotice, type RouterOutputs, useTRPC } from '../../../lib/trpc';
import { faultsByField, limitsOf } from './key-limits';
import { KeyLimitsFields } from './key-limits-fields';
import { KeyScopeField } from './key-scope-field';

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
      onOpenChange={(open) => (open ? undefined : onClose())}
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
  const [name, setName] = useState(agentKey.name);
  const [texts, setTexts] = useState({
    lifetimeDays: '',
    networks: agentKey.networks.join(', '),
    addresses: agentKey.addresses.join(', '),
  });
  const [scope, setScope] = useState(agentKeyScopeOf(agentKey.scope));
  const [faults, setFaults] = useState<Readonly<Record<string, string | undefined>>>({});
  const update = useMutation(
    trpc.agentKey.update.mutationOptions({
      onSuccess: async (key) => {
        await queryClient.invalidateQueries(trpc.agentKey.list.queryFilter({ clusterId }));
        toast({ title: `Key “${key.name}” saved`, description: 'Agents notice changes within seconds.' });
        onClose();
      },
    }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const { lifetimeDays, ...lists } = limitsOf(texts);
    const parsed = updateAgentKeyInput.safeParse({
      agentKeyId: agentKey.id,
      name,
      ...lists,
      ...(scope === undefined ? {} : { scope }),
      ...(lifetimeDays === null ? {} : { lifetimeDays }),
    });
    setFaults(parsed.success ? {} : faultsByField(firstFaults(parsed.error)));
    if (parsed.success && !update.isPending) {
      update.mutate(parsed.data);
    }
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <Field label="Name" error={faults['name']}>
        {(control) => (
          <Input {...control} value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" />
        )}
      </Field>
      {scope === undefined ? null : <KeyScopeField current={agentKey.scope} scope={scope} onChange={setScope} />}
      <KeyLimitsFields
        texts={texts}
        onChange={setTexts}
        faults={faults}
        expiryHint={
          agentKey.expiresAt === null
            ? 'Counts from now. The key doesn’t expire if you leave this empty.'
            : 'Counts from now. Leave empty to keep the date.'
        }
      />
      {update.error === null ? null : <FailureNotice error={update.error} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" pending={update.isPending}>
          {update.isPending ? 'Saving…' : 'Save'}
        </Button>
      </DialogActions>
    </form>
  );
}
