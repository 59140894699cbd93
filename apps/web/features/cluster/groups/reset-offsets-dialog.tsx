'use client';

import { Button, Dialog, DialogActions, Field, Notice, Select, type SelectOption, useToast } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { FailureNotice, useTRPC } from '../../trpc';
import { useLiveCluster } from '../live/live-cluster';
import type { LiveGroup } from '../live/live-view';

type Target = 'earliest' | 'latest';

const TARGETS: readonly (SelectOption & { value: Target })[] = [
  { value: 'earliest', label: 'The beginning: read everything again' },
  { value: 'latest', label: 'The end: skip what is there' },
];

type ResetOffsetsDialogProps = {
  clusterId: string;
  group: LiveGroup;
  /** Topics that the group has committed offsets in. */
  topics: readonly string[];
  open: boolean;
  onClose: () => void;
};

/** Sets a group to the beginning or the end of one of its topics. */
export function ResetOffsetsDialog({ clusterId, group, topics, open, onClose }: ResetOffsetsDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={`Reset offsets of ${group.groupId}`}
      description="All partitions of a topic. The offsets before are kept in the audit log."
    >
      <ResetForm clusterId={clusterId} group={group} topics={topics} onClose={onClose} />
    </Dialog>
  );
}

function ResetForm({ clusterId, group, topics, onClose }: Omit<ResetOffsetsDialogProps, 'open'>) {
  const trpc = useTRPC();
  const toast = useToast();
  const { view } = useLiveCluster();
  const [topic, setTopic] = useState(topics[0] ?? '');
  const [to, setTo] = useState<Target>('earliest');
  const reset = useMutation(
    trpc.group.resetOffsets.mutationOptions({
      onSuccess: ({ partitions }) => {
        toast({
          title: `Offsets of “${group.groupId}” are reset`,
          description: `${formatCount(partitions)} partitions of ${topic}.`,
        });
        onClose();
      },
    }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!reset.isPending) reset.mutate({ clusterId, groupId: group.groupId, topic, to });
  };
  const records = view?.topics.find(({ name }) => name === topic)?.records ?? 0;
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
      <Field label="Set to" hint={`The topic holds ${formatCount(records)} records.`}>
        {(control) => (
          <Select
            {...control}
            value={to}
            options={TARGETS}
            onValueChange={(value) => setTo(value === 'latest' ? 'latest' : 'earliest')}
          />
        )}
      </Field>
      {group.members.length === 0 ? null : (
        <Notice tone="warn" title={`${formatCount(group.members.length)} consumers of this group are running`}>
          Stop them first: they would go on from where they are, and commit over it.
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
