'use client';

import { createSilenceInput } from '@penstock/api/inputs';
import { Dialog, useToast } from '@penstock/ui';
import { HOUR_MS } from '@penstock/units';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Form, SelectField, TextField, useForm } from '../../lib/forms';
import { useTRPC } from '../../lib/trpc';
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
  const form = useForm({
    initial: { rule: rule ?? ALL_RULES, lengthMs: String(2 * HOUR_MS), reason: '' },
    schema: createSilenceInput,
    toInput: ({ lengthMs, ...values }) => ({
      clusterId,
      rule: ruleIdOf(values.rule),
      until: new Date(Date.now() + Number(lengthMs)),
      reason: values.reason,
    }),
    fieldOf: (path) => (path === 'until' ? 'lengthMs' : undefined),
    send: create.mutateAsync,
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Silence alerts"
      description="Pauses email and webhook alerts for this cluster. When the silence ends, recipients are notified of issues that are still open."
    >
      <Form form={form} labels={['Silence', 'Saving…']} onCancel={onClose}>
        <SelectField form={form} name="rule" label="Rule" options={ruleOptions} />
        <SelectField form={form} name="lengthMs" label="Duration" options={LENGTHS} />
        <TextField
          form={form}
          name="reason"
          label="Reason"
          hint="Shown to other members."
          placeholder="Maintenance in zone b"
        />
      </Form>
    </Dialog>
  );
}
