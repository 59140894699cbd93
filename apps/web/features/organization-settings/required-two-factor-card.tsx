'use client';

import { Badge, Button, Card, Notice, SkeletonRows } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../lib/forms';
import { FailureNotice, type RouterOutputs, useTRPC } from '../../lib/trpc';

type Demand = RouterOutputs['organization']['twoFactorDemand'];

/** More than these are counted only. */
const MAX_NAMES = 5;

/** Whether members need two-factor sign-in to open the organization. */
export function RequiredTwoFactorCard() {
  const trpc = useTRPC();
  const demand = useQuery(trpc.organization.twoFactorDemand.queryOptions());
  const [isAsking, setIsAsking] = useState(false);
  const { data } = demand;
  return (
    <Card
      title="Two-factor sign-in"
      description="Require members and owners to set up two-factor sign-in before they can open this organization. Single sign-on sessions use your provider’s second factor. API keys aren’t affected."
      {...(data === undefined
        ? {}
        : { actions: data.isRequired ? <Badge tone="ok">Required</Badge> : <Badge>Optional</Badge> })}
    >
      {data === undefined ? (
        demand.error === null ? (
          <SkeletonRows rows={1} label="Loading two-factor sign-in" />
        ) : (
          <FailureNotice error={demand.error} onRetry={() => void demand.refetch()} />
        )
      ) : (
        <div className="flex flex-col items-start gap-4">
          <p className="text-ink-2 text-sm leading-6">{withoutText(data)}</p>
          <Button onClick={() => setIsAsking(true)}>
            {data.isRequired ? 'Make it optional' : 'Require two-factor sign-in'}
          </Button>
          <ChangeDialog demand={data} open={isAsking} onClose={() => setIsAsking(false)} />
        </div>
      )}
    </Card>
  );
}

/** Who has none, in one sentence. */
function withoutText({ membersWithout }: Demand): string {
  const [first, ...others] = membersWithout;
  if (first === undefined) {
    return 'All members have set it up.';
  }
  if (others.length === 0) {
    return `${first} hasn’t set it up.`;
  }
  const named = membersWithout.slice(0, MAX_NAMES).join(', ');
  const more = membersWithout.length - MAX_NAMES;
  return `${membersWithout.length} members haven’t set it up: ${named}${more > 0 ? ` and ${more} more` : ''}.`;
}

function ChangeDialog({ demand, open, onClose }: { demand: Demand; open: boolean; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const change = useMutation(
    trpc.organization.setTwoFactorDemand.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.organization.twoFactorDemand.queryFilter());
        onClose();
      },
    }),
  );
  const isTurningOn = !demand.isRequired;
  return (
    <ConfirmDialog
      open={open}
      title={isTurningOn ? 'Require two-factor sign-in?' : 'Make two-factor sign-in optional?'}
      labels={[isTurningOn ? 'Require' : 'Make it optional', 'Saving…']}
      variant="primary"
      onClose={onClose}
      onConfirm={() => change.mutateAsync({ isRequired: isTurningOn })}
    >
      <div className="flex flex-col gap-4">
        <p>
          {isTurningOn
            ? 'Members who haven’t set it up lose access immediately and get it back once they have.'
            : 'Members can then open this organization with only their password.'}
        </p>
        {isTurningOn && demand.membersWithout.length > 0 ? <Notice tone="warn" title={withoutText(demand)} /> : null}
      </div>
    </ConfirmDialog>
  );
}
