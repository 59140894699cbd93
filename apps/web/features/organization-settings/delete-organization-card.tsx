'use client';

import { Button, Card } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../lib/forms';
import { useTRPC } from '../../lib/trpc';

export function DeleteOrganizationCard({ organizationName }: { organizationName: string }) {
  const trpc = useTRPC();
  const [isAsking, setIsAsking] = useState(false);
  const remove = useMutation(
    trpc.organization.delete.mutationOptions({
      // A full load: no data of the organization stays in memory.
      onSuccess: () => window.location.assign('/app/account'),
    }),
  );
  return (
    <Card
      tone="danger"
      title="Delete this organization"
      actions={
        <Button size="sm" variant="danger" onClick={() => setIsAsking(true)}>
          Delete
        </Button>
      }
    >
      <p className="max-w-prose text-ink-2 text-sm leading-6">
        All members lose access immediately. Clients can’t reach any cluster, including protected ones, and all keys are
        revoked. Any owner can restore the organization from their account page for 30 days. This month’s usage is
        billed at the end of the month. We keep invoices and the audit log.
      </p>
      <ConfirmDialog
        open={isAsking}
        title={`Delete ${organizationName}?`}
        expected={organizationName}
        labels={['Delete organization', 'Deleting…']}
        onClose={() => setIsAsking(false)}
        onConfirm={(confirmation) => remove.mutateAsync({ confirmation })}
      >
        You lose access to its clusters, keys, members and settings now. They’re permanently deleted after 30 days. Data
        files stay in your bucket: we can’t delete them.
      </ConfirmDialog>
    </Card>
  );
}
