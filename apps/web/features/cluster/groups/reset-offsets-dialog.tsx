'use client';

import { resetOffsetsInput } from '@penstock/api/inputs';
import { Button, Dialog, DialogActions, Field, Input, Notice, Select, type SelectOption, useToast } from '@penstock/ui';
import { formatCount, formatCountOf } from '@penstock/units';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { firstFaults } from '../../../lib/forms';
import { type LiveGroup, useLiveTopic } from '../../../lib/live';
import { FailureNotice, useTRPC } from '../../../lib/trpc';

type Target = 'earliest' | 'latest' | 'time' | 'offset';

const TARGETS: readonly (SelectOption & { value: Target })[] = [
  { value: 'earliest', label: 'Beginning (read everything again)' },
  { value: 'latest', label: 'End (skip existing records)' },
  { value: 'time', label: 'A point in time' },
  { value: 'offset', label: 'An offset in one partition' },
];

interface ResetOffsetsDialogProps {
  clusterId: string;
  group: LiveGroup;
  /** Topics that the group has committed offsets for. */
  topics: readonly string[];
  open: boolean;
  onClose: () => void;
}

/** Resets a group's offsets in one of its topics. */
export function ResetOffsetsDialog({ clusterId, group, topics, open, onClose }: ResetOffsetsDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen) {
          onClose();
        }
      }}
      title={`Reset offsets of ${group.groupId}`}
      description="Changes the group’s committed offsets for one topic. The audit log keeps the previous offsets."
    >
      <ResetForm clusterId={clusterId} group={group} topics={topics} onClose={onClose} />
    </Dialog>
  );
}

function ResetForm({ clusterId, group, topics, onClose }: Omit<ResetOffsetsDialogProps, 'open'>) {
  const trpc = useTRPC();
  const toast = useToast();
  const [topic, setTopic] = useState(topics[0] ?? '');
  const [to, setTo] = useState<Target>('earliest');
  const [time, setTime] = useState('');
  const [partition, setPartition] = useState('0');
  const [offset, setOffset] = useState('');
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const reset = useMutation(
    trpc.group.resetOffsets.mutationOptions({
      onSuccess: ({ partitions }) => {
        toast({
          title: `Offsets of “${group.groupId}” reset`,
          description: `${formatCountOf(partitions, 'partition')} of ${topic}.`,
        });
        onClose();
      },
    }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = resetOffsetsInput.safeParse({
      clusterId,
      groupId: group.groupId,
      topic,
      to,
      ...(to === 'time' ? { timeMs: numberOf(time === '' ? '' : String(Date.parse(time))) } : {}),
      ...(to === 'offset' ? { partition: numberOf(partition), offset: numberOf(offset) } : {}),
    });
    setFaults(parsed.success ? {} : firstFaults(parsed.error));
    if (parsed.success && !reset.isPending) {
      reset.mutate(parsed.data);
    }
  };
  const shown = useLiveTopic(topic);
  const records = shown?.records ?? 0;
  const held = shown?.partitions.find((own) => own.partition === numberOf(partition));
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <Field label="Topic">
        {(control) => (
          <Select
            {...control}
            value={topic}
            options={topics.map((name) => ({ value: name, label: name }))}
            onValueChange={setTopic}
          />
        )}
      </Field>
      <Field label="Set to" hint={`The topic holds ${formatCountOf(records, 'record')}.`}>
        {(control) => (
          <Select
            {...control}
            value={to}
            options={TARGETS}
            onValueChange={(value) => setTo(TARGETS.find((target) => target.value === value)?.value ?? 'earliest')}
          />
        )}
      </Field>
      {to === 'time' ? (
        <Field
          label="Time"
          hint={`In ${Intl.DateTimeFormat().resolvedOptions().timeZone}. Consumers read every record from this time on. They may also read some earlier records of the same batch.`}
          error={faults['timeMs']}
        >
          {(control) => (
            <Input
              {...control}
              type="datetime-local"
              step="1"
              value={time}
              onChange={(event) => setTime(event.target.value)}
            />
          )}
        </Field>
      ) : null}
      {to === 'offset' ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Partition" error={faults['partition']}>
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                value={partition}
                onChange={(event) => setPartition(event.target.value)}
              />
            )}
          </Field>
          <Field label="Offset" hint={heldText(held)} error={faults['offset']}>
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                value={offset}
                onChange={(event) => setOffset(event.target.value)}
              />
            )}
          </Field>
        </div>
      ) : null}
      {group.members.length === 0 ? null : (
        <Notice
          tone="warn"
          title={`${formatCountOf(group.members.length, 'consumer')} of this group ${group.members.length === 1 ? 'is' : 'are'} running`}
        >
          Stop them first. Otherwise they continue from their current position and overwrite the reset.
        </Notice>
      )}
      {reset.error === null ? null : <FailureNotice error={reset.error} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" pending={reset.isPending} disabled={group.members.length > 0}>
          {reset.isPending ? 'Resetting…' : 'Reset offsets'}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Undefined for anything but a whole number; the schema then reports the error. */
function numberOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined;
}

function heldText(held: { logStartOffset: number; highWatermark: number } | undefined): string {
  if (held === undefined) {
    return 'The topic doesn’t have this partition.';
  }
  return `Valid offsets: ${formatCount(held.logStartOffset)} to ${formatCount(held.highWatermark)}.`;
}
