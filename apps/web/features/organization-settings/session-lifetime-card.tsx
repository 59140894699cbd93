'use client';

import { setSessionLifetimeInput } from '@penstock/api/inputs';
import { Card, useToast } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Form, NumberField, numberOf, useForm } from '../../lib/forms';
import { QueryState, useTRPC } from '../../lib/trpc';

/** After how many days members sign in again. */
export function SessionLifetimeCard() {
  const trpc = useTRPC();
  const lifetime = useQuery(trpc.organization.sessionLifetime.queryOptions());
  return (
    <Card
      title="Sessions"
      description="Members must sign in again this many days after their last sign-in, even if they use the dashboard every day. If someone belongs to several organizations, the shortest limit applies. Single sign-on sessions end after one day."
    >
      <QueryState query={lifetime} label="Loading sessions" rows={1}>
        {({ days }) => <LifetimeForm current={days} />}
      </QueryState>
    </Card>
  );
}

function LifetimeForm({ current }: { current: number }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const change = useMutation(
    trpc.organization.setSessionLifetime.mutationOptions({
      onSuccess: async ({ days }) => {
        await queryClient.invalidateQueries(trpc.organization.sessionLifetime.queryFilter());
        toast({ title: days === 1 ? 'Sessions end after one day' : `Sessions end after ${days} days` });
      },
    }),
  );
  const form = useForm({
    initial: { days: String(current) },
    schema: setSessionLifetimeInput,
    toInput: ({ days }) => ({ days: numberOf(days) }),
    send: change.mutateAsync,
  });
  return (
    <Form form={form} labels={['Set limit', 'Saving…']}>
      <NumberField
        form={form}
        name="days"
        label="Days until members sign in again"
        bounds={[1, 90]}
        hint="Sessions that are already older end immediately, including yours."
      />
    </Form>
  );
}
