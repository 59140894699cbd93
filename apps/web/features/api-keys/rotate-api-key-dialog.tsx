'use client';

import { rotateApiKeyInput } from '@penstock/api/inputs';
import { Dialog } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { Form, SelectField, showOnce, useForm } from '../../lib/forms';
import { useTRPC } from '../../lib/trpc';
import type { ApiKey } from './api-key.types';
import { useRefreshApiKeys } from './use-refresh-api-keys';

const OVERLAPS = [
  { value: '0', label: 'None (old key expires now)' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '1 week' },
];

interface RotateApiKeyDialogProps {
  apiKey: ApiKey | null;
  onClose: () => void;
  onRotated: (plaintext: string) => void;
}

export function RotateApiKeyDialog({ apiKey, onClose, onRotated }: RotateApiKeyDialogProps) {
  return (
    <Dialog
      open={apiKey !== null}
      onClose={onClose}
      title={`Rotate “${apiKey?.name ?? ''}”`}
      description="Creates a new key with the same permissions. Both keys work during the overlap so that you can update your programs."
    >
      {apiKey === null ? null : <RotateForm apiKey={apiKey} onCancel={onClose} onRotated={onRotated} />}
    </Dialog>
  );
}

interface RotateFormProps {
  apiKey: ApiKey;
  onCancel: () => void;
  onRotated: (plaintext: string) => void;
}

function RotateForm({ apiKey, onCancel, onRotated }: RotateFormProps) {
  const trpc = useTRPC();
  const refresh = useRefreshApiKeys();
  const rotate = useMutation(
    trpc.apiKey.rotate.mutationOptions(showOnce(({ plaintext }) => onRotated(plaintext), refresh)),
  );
  const form = useForm({
    initial: { overlapHours: '24' },
    schema: rotateApiKeyInput,
    toInput: ({ overlapHours }) => ({ apiKeyId: apiKey.id, overlapHours: Number(overlapHours) }),
    send: rotate.mutateAsync,
  });
  return (
    <Form form={form} labels={['Rotate key', 'Rotating…']} onCancel={onCancel}>
      <SelectField
        form={form}
        name="overlapHours"
        label="Overlap"
        hint="How long the old key keeps working."
        options={OVERLAPS}
      />
    </Form>
  );
}
