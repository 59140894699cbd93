'use client';

import { ConfirmByTypingDialog, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { failureText, toFailure, useTRPC } from '../../lib/trpc';
import type { ApiKey } from './api-keys-page';
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
    <ConfirmByTypingDialog
      open={apiKey !== null}
      onOpenChange={(open) => {
        if (!open) {
          revoke.reset();
          onClose();
        }
      }}
      title="Revoke this key?"
      expected={apiKey?.name ?? ''}
      confirmLabel={revoke.isPending ? 'Revoking…' : 'Revoke key'}
      pending={revoke.isPending}
      error={revoke.error === null ? undefined : failureText(toFailure(revoke.error))}
      onConfirm={() => {
        if (apiKey !== null) {
          revoke.mutate({ apiKeyId: apiKey.id });
        }
      }}
    >
      Requests that use this key will be rejected. To replace a key without interruption, rotate it instead.
    </ConfirmByTypingDialog>
  );
}
