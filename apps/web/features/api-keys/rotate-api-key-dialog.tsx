'use client';

import { Button, Dialog, DialogActions, Field, Select } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { showOnce } from '../../lib/forms';
import { FailureNotice, useTRPC } from '../../lib/trpc';
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
      onOpenChange={(open) => {
        if (!open) {
          onClose();
        }
      }}
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
  const [overlapHours, setOverlapHours] = useState('24');
  const rotate = useMutation(
    trpc.apiKey.rotate.mutationOptions(showOnce(({ plaintext }) => onRotated(plaintext), refresh)),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!rotate.isPending) {
      rotate.mutate({ apiKeyId: apiKey.id, overlapHours: Number(overlapHours) });
    }
  };
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <Field label="Overlap" hint="How long the old key keeps working.">
        {(control) => <Select {...control} value={overlapHours} options={OVERLAPS} onValueChange={setOverlapHours} />}
      </Field>
      {rotate.error === null ? null : <FailureNotice error={rotate.error} />}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pending={rotate.isPending}>
          {rotate.isPending ? 'Rotating…' : 'Rotate key'}
        </Button>
      </DialogActions>
    </form>
  );
}
