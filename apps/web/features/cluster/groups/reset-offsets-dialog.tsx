'use client';

import { resetOffsetsInput } from '@penstock/api/inputs';
import { Dialog, Notice, type SelectOption, useToast } from '@penstock/ui';
import { formatCount, formatCountOf } from '@penstock/units';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Form, numberOf, SelectField, TextField, useForm, useWatch } from '../../../lib/forms';
import { type LiveGroup, useLiveTopic } from '../../../lib/live';
import { DataTable } from '../../../lib/table';
import { QueryState, type RouterOutputs, useTRPC } from '../../../lib/trpc';

type ResetInput = ReturnType<typeof resetOffsetsInput.parse>;

type Target = 'earliest' | 'latest' | 'time' | 'shift' | 'offset';

const TARGETS: readonly (SelectOption & { value: Target })[] = [
  { value: 'earliest', label: 'Beginning (read everything again)' },
  { value: 'latest', label: 'End (skip existing records)' },
  { value: 'time', label: 'A point in time' },
  { value: 'shift', label: 'A number of records forward or back' },
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
      onClose={onClose}
      isWide
      title={`Reset offsets of ${group.groupId}`}
      description="Changes the group’s committed offsets for one topic. The audit log keeps the previous offsets."
    >
      <ResetForm clusterId={clusterId} group={group} topics={topics} onClose={onClose} />
    </Dialog>
  );
}

interface Values {
  topic: string;
  to: Target;
  time: string;
  partition: string;
  offset: string;
  shiftBy: string;
}

function ResetForm({ clusterId, group, topics, onClose }: Omit<ResetOffsetsDialogProps, 'open'>) {
  const trpc = useTRPC();
  const toast = useToast();
  const initial: Values = { topic: topics[0] ?? '', to: 'earliest', time: '', partition: '', offset: '', shiftBy: '' };
  /** The preview, and the values that it is for. Any change of the form makes it outdated. */
  const [asked, setAsked] = useState<{ input: ResetInput; values: string } | null>(null);
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
  const form = useForm({
    initial,
    schema: resetOffsetsInput,
    toInput: ({ topic, to, time, partition, offset, shiftBy }) => ({
      clusterId,
      groupId: group.groupId,
      topic,
      to,
      // What is no number must not mean all partitions.
      ...(partition.trim() === '' ? {} : { partition: numberOf(partition) }),
      ...(to === 'time' && time !== '' ? { timeMs: Date.parse(time) } : {}),
      ...(to === 'shift' && shiftBy.trim() !== '' ? { shiftBy: numberOf(shiftBy) } : {}),
      ...(to === 'offset' && offset.trim() !== '' ? { offset: numberOf(offset) } : {}),
    }),
    fieldOf: (path) => (path === 'timeMs' ? 'time' : undefined),
    send: async (input) => {
      if (previewed === null) {
        setAsked({ input, values });
      } else {
        await reset.mutateAsync(previewed);
      }
    },
  });
  const [topic, to, partition] = useWatch({ control: form.control, name: ['topic', 'to', 'partition'] });
  const values = useWatch({ control: form.control, compute: (all: Values) => JSON.stringify(all) });
  const previewed = asked?.values === values ? asked.input : null;
  const preview = useQuery({
    ...trpc.group.previewReset.queryOptions(previewed ?? { clusterId, groupId: group.groupId, topic, to: 'latest' }),
    enabled: previewed !== null,
    // Records arrive all the time, so that each preview is read again.
    gcTime: 0,
    staleTime: 0,
    retry: false,
  });
  const shown = useLiveTopic(topic);
  const records = shown?.records ?? 0;
  const held = shown?.partitions.find((own) => own.partition === numberOf(partition));
  return (
    <Form
      form={form}
      labels={previewed === null ? ['Preview', 'Preview'] : ['Reset offsets', 'Resetting…']}
      onCancel={onClose}
      isSubmitDisabled={previewed !== null && (group.members.length > 0 || preview.data === undefined)}
    >
      <SelectField
        form={form}
        name="topic"
        label="Topic"
        options={topics.map((name) => ({ value: name, label: name }))}
        onChosen={() => form.setValue('partition', '')}
      />
      <SelectField
        form={form}
        name="to"
        label="Set to"
        hint={`The topic holds ${formatCountOf(records, 'record')}.`}
        options={TARGETS}
      />
      {to === 'time' ? (
        <TextField
          form={form}
          name="time"
          label="Time"
          hint={`In ${Intl.DateTimeFormat().resolvedOptions().timeZone}. Consumers read every record from this time on. They may also read some earlier records of the same batch.`}
          type="datetime-local"
          step="1"
        />
      ) : null}
      {to === 'shift' ? (
        <TextField
          form={form}
          name="shiftBy"
          label="Records"
          hint="For example -100 to read the last 100 records of each partition again. Stays within what a partition holds."
        />
      ) : null}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          form={form}
          name="partition"
          label="Partition"
          hint="Leave empty for all partitions."
          inputMode="numeric"
          placeholder="All partitions"
        />
        {to === 'offset' ? (
          <TextField
            form={form}
            name="offset"
            label="Offset"
            hint={held === undefined ? undefined : heldText(held)}
            inputMode="numeric"
          />
        ) : null}
      </div>
      {previewed === null ? null : (
        <div className="min-w-0 rounded-lg border border-line">
          <QueryState query={preview} label="Loading the preview">
            {({ changes }) => <OffsetChanges changes={changes} />}
          </QueryState>
        </div>
      )}
      {group.members.length === 0 ? null : (
        <Notice
          tone="warn"
          title={`${formatCountOf(group.members.length, 'consumer')} of this group ${group.members.length === 1 ? 'is' : 'are'} running`}
        >
          Stop them first. Otherwise they continue from their current position and overwrite the reset.
        </Notice>
      )}
    </Form>
  );
}

function heldText({ logStartOffset, highWatermark }: { logStartOffset: number; highWatermark: number }): string {
  return `Valid offsets: ${formatCount(logStartOffset)} to ${formatCount(highWatermark)}.`;
}

type Change = RouterOutputs['group']['previewReset']['changes'][number];

/** The offsets that a reset would set. */
function OffsetChanges({ changes }: { changes: readonly Change[] }) {
  return (
    <DataTable<Change>
      label="Preview of the reset"
      noun="partition"
      isPlain
      rows={changes}
      rowKey={({ partition }) => partition}
      inView={{ minWidth: '26rem', className: 'max-h-52 rounded-lg' }}
      columns={[
        {
          key: 'partition',
          header: 'Partition',
          label: 'Partition',
          stack: 'title',
          track: '6rem',
          cell: ({ partition }) => partition,
        },
        {
          key: 'before',
          header: 'Offset now',
          label: 'Now',
          numeric: true,
          value: ({ before }) => before,
          none: 'none',
        },
        {
          key: 'after',
          header: 'New offset',
          label: 'New',
          stack: 'aside',
          numeric: true,
          cell: ({ after }) => <span className="font-medium text-ink">{formatCount(after)}</span>,
        },
        {
          key: 'lag',
          header: 'Records to read',
          label: 'To read',
          numeric: true,
          value: ({ lagRecords }) => lagRecords,
        },
      ]}
    />
  );
}
