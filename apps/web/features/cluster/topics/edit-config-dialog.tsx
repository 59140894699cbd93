'use client';

import { updateTopicInput } from '@penstock/api/inputs';
import type { TopicConfigDefinition } from '@penstock/clusters/inputs';
import { Button, Dialog, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { Form, SelectField, TextField, useForm, useWatch } from '../../../lib/forms';
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
      onClose={onClose}
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
  const options = trpc.topic.update.mutationOptions({
    onSuccess: (_nothing, { configs }) => {
      const isDefault = configs[config.name] === null;
      toast({
        title: isDefault ? `Default of ${config.name} restored` : `${config.name} saved`,
        description: 'Agents apply it within seconds.',
      });
      onClose();
    },
  });
  const alter = useMutation(options);
  const restore = useMutation(options);
  const form = useForm({
    initial: { value: own ?? config.default },
    schema: updateTopicInput,
    toInput: ({ value }) => ({ clusterId, name: topic.name, configs: { [config.name]: value } }),
    fieldOf: (path) => (path.startsWith('configs') ? 'value' : undefined),
    send: alter.mutateAsync,
  });
  const value = useWatch({ control: form.control, name: 'value' });
  const choices = config.type === 'boolean' ? ['true', 'false'] : config.type === 'one-of' ? config.values : null;
  const hint = [boundsText(config), readableValue(config, value.trim()), `Default: ${config.default}.`]
    .filter((text) => text !== null)
    .join(' ');
  return (
    <Form
      form={form}
      labels={['Save', 'Saving…']}
      onCancel={onClose}
      buttons={
        own === undefined ? null : (
          <Button
            variant="quiet"
            pending={restore.isPending}
            onClick={() => restore.mutate({ clusterId, name: topic.name, configs: { [config.name]: null } })}
          >
            Restore default
          </Button>
        )
      }
    >
      {choices === null ? (
        <TextField
          form={form}
          name="value"
          label="Value"
          hint={hint}
          inputMode={config.type === 'integer' ? 'numeric' : 'text'}
          className="nums"
        />
      ) : (
        <SelectField
          form={form}
          name="value"
          label="Value"
          hint={hint}
          options={choices.map((choice) => ({ value: choice, label: choice }))}
        />
      )}
      {restore.error === null ? null : <FailureNotice error={restore.error} />}
    </Form>
  );
}
