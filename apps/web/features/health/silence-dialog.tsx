'use client';

import { createSilenceInput } from '@penstock/api/inputs';
import { Button, Dialog, DialogActions, Field, Input, Select, useToast } from '@penstock/ui';
import { HOUR_MS } from '@penstock/units';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { firstFaults } from '../../lib/forms';
import { FailureNotice, useTRPC } from '../../lib/trpc';
import { ALL_RULES, ruleIdOf, ruleOptions } from './rule-options';

const LENGTHS: readonly { value: string; label: string }[] = [
  { value: String(HOUR_MS / 2), label: '30 minutes' },
  { value: String(2 * HOUR_MS), label: '2 hours' },
  { value: String(8 * HOUR_MS), label: '8 hours' },
  { value: String(24 * HOUR_MS), label: '1 day' },
  { value: String(7 * 24 * HOUR_MS), label: '7 days' },
];

export function SilenceDialog({
  clusterId,
  rule,
  onClose,
}: {
  clusterId: string;
  /** The initial selection; null means all rules. */
  rule: string | null;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const toast = useToast();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState(rule ?? ALL_RULES);
  const [length, setLength] = useState(String(2 * HOUR_MS));
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string | undefined>(undefined);
  const create = useMutation(
    trpc.health.createSilence.mutationOptions({
      onSuccess: async () => {
        await queries.invalidateQueries({ queryKey: trpc.health.get.queryKey({ clusterId }) });
        toast({
          title: 'Alerts silenced',
          description: 'Nobody is notified until the silence ends. Issues stay on this page.',
        });
        onClose();
      },
    }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const until = new Date(Date.now() + Number(length));
    const parsed = createSilenceInput.safeParse({ clusterId, rule: ruleIdOf(chosen), until, reason });
    setFault(parsed.success ? undefined : firstFaults(parsed.error)['reason']);
    if (parsed.success && !create.isPending) {
      create.mutate(parsed.data);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title="Silence alerts"
      description="Pauses email and webhook alerts for this cluster. When the silence ends, recipients are notified of issues that are still open."
    >
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
        <Field label="Rule">
          {(control) => <Select {...control} value={chosen} options={ruleOptions} onValueChange={setChosen} />}
        </Field>
        <Field label="Duration">
          {(control) => <Select {...control} value={length} options={LENGTHS} onValueChange={setLength} />}
        </Field>
        <Field label="Reason" hint="Shown to other members." error={fault}>
          {(control) => (
            <Input
              {...control}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              placeholder="Maintenance in zone b"
            />
          )}
        </Field>
        {create.error === null ? null : <FailureNotice error={create.error} />}
        <DialogActions>
          <Button type="button" variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" pending={create.isPending}>
            {create.isPending ? 'Saving…' : 'Silence'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
