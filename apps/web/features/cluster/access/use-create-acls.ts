'use client';

import { useToast } from '@penstock/ui';
import { formatCountOf } from '@penstock/units';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../../lib/trpc';

/** Adds ACLs, says so, and reads the list again. */
export function useCreateAcls(clusterId: string, onDone: () => void) {
  const trpc = useTRPC();
  const toast = useToast();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.access.createAcls.mutationOptions({
      onSuccess: async ({ created, refused: [refused] }) => {
        await queryClient.invalidateQueries(trpc.access.listAcls.queryFilter({ clusterId }));
        toast({
          title: `${formatCountOf(created.length, 'ACL')} added`,
          description: refused?.message ?? 'Agents apply them within seconds.',
        });
        onDone();
      },
    }),
  );
}
