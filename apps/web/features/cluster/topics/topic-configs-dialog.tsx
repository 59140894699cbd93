'use client';

import { updateTopicInput } from '@penstock/api/inputs';
import { Dialog, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Form, TextField, useForm, useWatch } from '../../../lib/forms';
import type { LiveTopicRow } from '../../../lib/live';
import { topicConfigsPath } from '../../../lib/routes';
import { useTRPC } from '../../../lib/trpc';
import { IntentLink } from '../../shell';
import { configMeaning, editableConfigs } from './topic-configs';

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
      onClose={onClose}
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
  const alter = useMutation(
    trpc.topic.update.mutationOptions({
      onSuccess: () => {
        toast({ title: `Configuration of “${topic.name}” saved`, description: 'Agents apply it within seconds.' });
        onClose();
      },
    }),
  );
  const form = useForm({
    initial: { texts: editableConfigs.map(({ name }) => before.get(name) ?? '') },
    schema: updateTopicInput,
    toInput: ({ texts }) => ({
      clusterId,
      name: topic.name,
      configs: Object.fromEntries(
        editableConfigs.flatMap(({ name }, at) => {
          const text = texts[at]?.trim() ?? '';
          return text === (before.get(name) ?? '') ? [] : [[name, text === '' ? null : text] as const];
        }),
      ),
    }),
    fieldOf: (path) => {
      const at = editableConfigs.findIndex(({ name }) => path === `configs.${name}`);
      return at === -1 ? undefined : `texts.${at}`;
    },
    send: async (input) => {
      if (Object.keys(input.configs).length === 0) {
        onClose();
      } else {
        await alter.mutateAsync(input);
      }
    },
  });
  const texts = useWatch({ control: form.control, name: 'texts' });
  const others = topic.configs.filter(({ name }) => !editableConfigs.some((config) => config.name === name));
  return (
    <Form form={form} labels={['Save', 'Saving…']} onCancel={onClose}>
      {editableConfigs.map((config, at) => (
        <TextField
          key={config.name}
          form={form}
          name={`texts.${at}`}
          label={
            <>
              {config.label} <span className="font-mono font-normal text-ink-3 text-xs">{config.name}</span>
            </>
          }
          hint={configMeaning(config, texts[at] ?? '')}
          inputMode="numeric"
          placeholder={config.default}
          className="nums"
        />
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
    </Form>
  );
}
