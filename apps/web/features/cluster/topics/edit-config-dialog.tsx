'use client';

import { alterTopicConfigsInput } from '@penstock/api/inputs';
import type { TopicConfigDefinition } from '@penstock/clusters/inputs';
import { Button, Dialog, DialogActions, Field, Input, Select, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { firstFaults } from '../../../lib/forms';
import type { LiveTopic } from '../../../lib/live';
import { FailureNotice, useTRPC } from '../../../lib/trpc';
import { boundsText, meaningText, readableValue } from './topic-configs';

interface EditConfigDialogProps {
  clusterId: string;
  topic: LiveTopic;
  config: TopicConfigDefinition | null;
  onClose: () => void;
}

/** Sets one config of a topic, or restores its default. */
export function EditConfigDialog({ clusterId, topic, config, onClose }: EditConfigDialogProps) {
  return (
    <Dialog
      open={config !== null}
      onOpenChange={(open) => {
        if (!open) {
          onClose();
        }
      }}
      title={`Edit ${config?.name ?? ''}`}
      description={config === null ? '' : meaningText(config)}
    >
      {config === null ? null : <EditForm clusterId={clusterId} topic={topic} config={config} onClose={onClose} />}
    </Dialog>
  );
}

function EditForm({ clusterId, topic, config, onClose }: EditConfigDialogProps & { config: TopicConfigDefinition }) {
  const trpc = useTRPC();
  const toast = useToast();
  const own = topic.configs.find(({ name }) => name === config.name)?.value;
  const [text, setText] = useState(own ?? config.default);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const alter = useMutation(
    trpc.topic.alterConfigs.mutationOptions({
      onSuccess: (_nothing, { configs }) => {
        const isDefault = configs[config.name] === null;
        toast({
          title: isDefault ? `Default of ${config.name} restored` : `${config.name} saved`,
          description: 'Agents apply it within seconds.',
        });
        onClose();
      },
    }),
  );
  const save = (value: string | null) => {
    const parsed = alterTopicConfigsInput.safeParse({ clusterId, name: topic.name, configs: { [config.name]: value } });
    setFault(parsed.success ? undefined : firstFaults(parsed.error)[`configs.${config.name}`]);
    if (parsed.success && !alter.isPending) {
      alter.mutate(parsed.data);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save(text);
  };
  const choices = config.type === 'boolean' ? ['true', 'false'] : config.type === 'one-of' ? config.values : null;
  const hints = [boundsText(config), readableValue(config, text.trim()), `Default: ${config.default}.`];
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <Field label="Value" hint={hints.filter((hint) => hint !== null).join(' ')} error={fault}>
        {(control) =>
          choices === null ? (
            <Input
              {...control}
              value={text}
              inputMode={config.type === 'integer' ? 'numeric' : 'text'}
              onChange={(event) => setText(event.target.value)}
              autoComplete="off"
              className="nums"
            />
          ) : (
            <Select
              {...control}
              value={text}
              options={choices.map((value) => ({ value, label: value }))}
              onValueChange={setText}
            />
          )
        }
      </Field>
      {alter.error === null ? null : <FailureNotice error={alter.error} />}
      <DialogActions>
        {own === undefined ? null : (
          <Button variant="quiet" onClick={() => save(null)} disabled={alter.isPending}>
            Restore default
          </Button>
        )}
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" pending={alter.isPending}>
          {alter.isPending ? 'Saving…' : 'Save'}
        </Button>
      </DialogActions>
    </form>
  );
}
