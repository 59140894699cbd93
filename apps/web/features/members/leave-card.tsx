'use client';

import { Button, Card } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../lib/forms';
import { useSession } from '../../lib/session';
import { useTRPC } from '../../lib/trpc';
import { EndingKeys } from './ending-keys';

export function LeaveCard({ organizationName }: { organizationName: string }) {
  const trpc = useTRPC();
  const { user } = useSession();
  const [isAsking, setIsAsking] = useState(false);
  // A full load: no data of the organization stays in memory.
  const leave = useMutation(trpc.member.leave.mutationOptions({ onSuccess: () => window.location.assign('/app') }));
  return (
    <Card
      title="Leave this organization"
      actions={
        <Button size="sm" onClick={() => setIsAsking(true)}>
          Leave
        </Button>
      }
    >
      <p className="text-ink-2 text-sm leading-6">
        You lose access immediately. To return, you’ll need a new invitation.
      </p>
      <ConfirmDialog
        open={isAsking}
        title={`Leave ${organizationName}?`}
        expected={organizationName}
        labels={['Leave organization', 'Leaving…']}
        onClose={() => setIsAsking(false)}
        onConfirm={() => leave.mutateAsync()}
      >
        Clusters and agent keys stay with the organization. You lose access to them immediately.
        <EndingKeys userId={user.id} whose="you" />
      </ConfirmDialog>
    </Card>
  );
}
