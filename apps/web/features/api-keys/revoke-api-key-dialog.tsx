'use client';

import { useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { ConfirmDialog } from '../../lib/forms';
import { useTRPC } from '../../lib/trpc';
import type { ApiKey } from './api-key.types';
import { useRefreshApiKeys } from './use-refresh-api-keys';

export function RevokeApiKeyDialog({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefreshApiKeys();
  const revoke = useMutation(
    trpc.apiKey.revoke.mutationOptions({
      onSuccess: async (key) => {
        await refresh();
        toast({ title: `Key “${key.name}” revoked`, description: 'Requests that use it are now rejected.' });
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      open={apiKey !== null}
      title="Revoke this key?"
      expected={apiKey?.name ?? ''}
      labels={['Revoke key', 'Revoking…']}
      onClose={onClose}
      onConfirm={async () => {
        if (apiKey !== null) {
          await revoke.mutateAsync({ apiKeyId: apiKey.id });
        }
      }}
    >
      Requests that use this key will be rejected. To replace a key without interruption, rotate it instead.
    </ConfirmDialog>
  );
}
