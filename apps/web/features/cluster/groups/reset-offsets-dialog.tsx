'use client';

import { resetOffsetsInput } from '@penstock/api/inputs';
import { Button, Dialog, DialogActions, Field, Input, Notice, Select, type SelectOption, useToast } from '@penstock/ui';
import { formatCount, formatCountOf } from '@penstock/units';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { firstFaults } from '../../../lib/forms';
import { type LiveGroup, useLiveTopic } from '../../../lib/live';
import { FailureNotice, QueryState, type RouterOutputs, useTRPC } from '../../../lib/trpc';
import { VirtualTable } from '../../../lib/virtual-table';

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
      onOpenChange={(isOpen) => {
        if (!isOpen) {
          onClose();
        }
      }}
      isWide
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
  const [partition, setPartition] = useState('');
  const [offset, setOffset] = useState('');
  const [shiftBy, setShiftBy] = useState('');
  /** What was previewed. Any change of the form makes it outdated. */
  const [previewed, setPreviewed] = useState<ResetInput | null>(null);
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
  const preview = useQuery({
    ...trpc.group.previewReset.queryOptions(previewed ?? { clusterId, groupId: group.groupId, topic, to: 'latest' }),
    enabled: previewed !== null,
    // Records arrive all the time, so that each preview is read again.
    gcTime: 0,
    staleTime: 0,
    retry: false,
  });
  const change = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      set(value);
      setPreviewed(null);
      reset.reset();
    };
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = resetOffsetsInput.safeParse({
      clusterId,
      groupId: group.groupId,
      topic,
      to,
      // What is no number must not mean all partitions.
      ...(partition.trim() === '' ? {} : { partition: numberOf(partition) ?? Number.NaN }),
      ...(to === 'time' ? { timeMs: numberOf(time === '' ? '' : String(Date.parse(time))) } : {}),
      ...(to === 'shift' ? { shiftBy: numberOf(shiftBy) } : {}),
      ...(to === 'offset' ? { offset: numberOf(offset) } : {}),
    });
    setFaults(parsed.success ? {} : firstFaults(parsed.error));
    if (!parsed.success || reset.isPending) {
      return;
    }
    if (previewed === null) {
      setPreviewed(parsed.data);
    } else {
      reset.mutate(previewed);
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
            onValueChange={change((name: string) => {
              setTopic(name);
              setPartition('');
            })}
          />
        )}
      </Field>
      <Field label="Set to" hint={`The topic holds ${formatCountOf(records, 'record')}.`}>
        {(control) => (
          <Select
            {...control}
            value={to}
            options={TARGETS}
            onValueChange={change((value: string) =>
              setTo(TARGETS.find((target) => target.value === value)?.value ?? 'earliest'),
            )}
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
              onChange={(event) => change(setTime)(event.target.value)}
            />
          )}
        </Field>
      ) : null}
      {to === 'shift' ? (
        <Field
          label="Records"
          hint="For example -100 to read the last 100 records of each partition again. Stays within what a partition holds."
          error={faults['shiftBy']}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="text"
              value={shiftBy}
              onChange={(event) => change(setShiftBy)(event.target.value)}
              autoComplete="off"
            />
          )}
        </Field>
      ) : null}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Partition" hint="Leave empty for all partitions." error={faults['partition']}>
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={partition}
              placeholder="All partitions"
              onChange={(event) => change(setPartition)(event.target.value)}
              autoComplete="off"
            />
          )}
        </Field>
        {to === 'offset' ? (
          <Field label="Offset" hint={held === undefined ? undefined : heldText(held)} error={faults['offset']}>
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                value={offset}
                onChange={(event) => change(setOffset)(event.target.value)}
                autoComplete="off"
              />
            )}
          </Field>
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
      {reset.error === null ? null : <FailureNotice error={reset.error} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        {previewed === null ? (
          <Button type="submit" variant="primary">
            Preview
          </Button>
        ) : (
          <Button
            type="submit"
            variant="primary"
            pending={reset.isPending}
            disabled={group.members.length > 0 || preview.data === undefined}
          >
            {reset.isPending ? 'Resetting…' : 'Reset offsets'}
          </Button>
        )}
      </DialogActions>
    </form>
  );
}

/** Undefined for anything but a whole number; the schema then reports the error. */
function numberOf(text: string): number | undefined {
  return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : undefined;
}

function heldText({ logStartOffset, highWatermark }: { logStartOffset: number; highWatermark: number }): string {
  return `Valid offsets: ${formatCount(logStartOffset)} to ${formatCount(highWatermark)}.`;
}

type Change = RouterOutputs['group']['previewReset']['changes'][number];

/** What a reset would set. */
function OffsetChanges({ changes }: { changes: readonly Change[] }) {
  return (
    <VirtualTable<Change>
      label="Preview of the reset"
      rows={changes}
      rowKey={({ partition }) => partition}
      minWidth="26rem"
      className="max-h-52 rounded-lg"
      columns={[
        {
          key: 'partition',
          header: 'Partition',
          label: 'Partition',
          stack: 'title',
          track: '6rem',
          cell: (row) => row.partition,
        },
        {
          key: 'before',
          header: 'Offset now',
          label: 'Now',
          track: '1fr',
          numeric: true,
          cell: ({ before }) => (before === null ? 'none' : formatCount(before)),
        },
        {
          key: 'after',
          header: 'New offset',
          label: 'New',
          stack: 'aside',
          track: '1fr',
          numeric: true,
          cell: ({ after }) => <span className="font-medium text-ink">{formatCount(after)}</span>,
        },
        {
          key: 'lag',
          header: 'Records to read',
          label: 'To read',
          track: '1fr',
          numeric: true,
          cell: ({ lagRecords }) => formatCount(lagRecords),
        },
      ]}
    />
  );
}
