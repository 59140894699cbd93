'use client';

import { alterTopicConfigsInput } from '@penstock/api/inputs';
import { Button, Dialog, DialogActions, Field, Input, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { firstFaults } from '../../../lib/forms';
import type { LiveTopicRow } from '../../../lib/live';
import { topicConfigsPath } from '../../../lib/routes';
import { FailureNotice, useTRPC } from '../../../lib/trpc';
import { IntentLink } from '../../shell';
import { configMeaning, type EditableConfig, editableConfigs } from './topic-configs';

interface TopicConfigsDialogProps {
  clusterId: string;
  topic: LiveTopicRow | null;
  onClose: () => void;
}

/** A topic's configs under Kafka's own names. */
export function TopicConfigsDialog({ clusterId, topic, onClose }: TopicConfigsDialogProps) {
  return (
    <Dialog
      open={topic !== null}
      onOpenChange={(open) => {
        if (!open) {
          onClose();
        }
      }}
      title={`Configuration of ${topic?.name ?? ''}`}
      description="Kafka clients can also read and set these values. Leave a field empty to use the default."
    >
      {topic === null ? null : <ConfigsForm clusterId={clusterId} topic={topic} onClose={onClose} />}
    </Dialog>
  );
}

interface ConfigsFormProps {
  clusterId: string;
  topic: LiveTopicRow;
  onClose: () => void;
}

function ConfigsForm({ clusterId, topic, onClose }: ConfigsFormProps) {
  const trpc = useTRPC();
  const toast = useToast();
  // The values at the time the dialog opened, so that changes by others do not alter the form.
  const [before] = useState(() => new Map(topic.configs.map(({ name, value }) => [name, value])));
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [faults, setFaults] = useState<Record<string, string>>({});
  const alter = useMutation(
    trpc.topic.alterConfigs.mutationOptions({
      onSuccess: () => {
        toast({ title: `Configuration of “${topic.name}” saved`, description: 'Agents apply it within seconds.' });
        onClose();
      },
    }),
  );
  const textOf = ({ name }: EditableConfig): string => typed[name] ?? before.get(name) ?? '';
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const changed = editableConfigs.flatMap((config) => {
      const text = textOf(config).trim();
      return text === (before.get(config.name) ?? '') ? [] : [[config.name, text === '' ? null : text] as const];
    });
    if (changed.length === 0) {
      onClose();
      return;
    }
    const parsed = alterTopicConfigsInput.safeParse({
      clusterId,
      name: topic.name,
      configs: Object.fromEntries(changed),
    });
    setFaults(parsed.success ? {} : firstFaults(parsed.error));
    if (parsed.success && !alter.isPending) {
      alter.mutate(parsed.data);
    }
  };
  const others = topic.configs.filter(({ name }) => !editableConfigs.some((config) => config.name === name));
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      {editableConfigs.map((config) => (
        <Field
          key={config.name}
          label={
            <>
              {config.label} <span className="font-mono font-normal text-ink-3 text-xs">{config.name}</span>
            </>
          }
          hint={configMeaning(config, textOf(config))}
          error={faults[`configs.${config.name}`]}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={textOf(config)}
              placeholder={config.default}
              onChange={(event) => setTyped((values) => ({ ...values, [config.name]: event.target.value }))}
              autoComplete="off"
              className="nums"
            />
          )}
        </Field>
      ))}
      <p className="text-[0.8125rem] text-ink-3">
        <IntentLink
          href={topicConfigsPath(clusterId, topic.name)}
          className="font-medium text-accent-ink underline underline-offset-4"
        >
          All configs of this topic
        </IntentLink>{' '}
        with their meaning and defaults.
      </p>
      {others.length === 0 ? null : (
        <div>
          <p className="font-medium text-ink text-sm">Set by Kafka clients</p>
          <ul className="mt-1 flex flex-col gap-0.5 font-mono text-ink-2 text-xs">
            {others.map(({ name, value }) => (
              <li key={name} className="break-all">
                {name}={value}
              </li>
            ))}
          </ul>
        </div>
      )}
      {alter.error === null ? null : <FailureNotice error={alter.error} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" pending={alter.isPending}>
          {alter.isPending ? 'Saving…' : 'Save'}
        </Button>
      </DialogActions>
    </form>
  );
}
