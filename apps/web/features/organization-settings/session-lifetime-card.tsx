'use client';

import { setSessionLifetimeInput } from '@penstock/api/inputs';
import { Button, Card, Field, Input, useToast } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { firstFaults } from '../../lib/forms';
import { FailureNotice, QueryState, useTRPC } from '../../lib/trpc';

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
  const [text, setText] = useState(String(current));
  const [fault, setFault] = useState<string | undefined>(undefined);
  const change = useMutation(
    trpc.organization.setSessionLifetime.mutationOptions({
      onSuccess: async ({ days }) => {
        await queryClient.invalidateQueries(trpc.organization.sessionLifetime.queryFilter());
        toast({ title: days === 1 ? 'Sessions end after one day' : `Sessions end after ${days} days` });
      },
    }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = setSessionLifetimeInput.safeParse({ days: text.trim() === '' ? undefined : Number(text) });
    setFault(parsed.success ? undefined : firstFaults(parsed.error)['days']);
    if (parsed.success && !change.isPending) {
      change.mutate(parsed.data);
    }
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col items-start gap-3">
      <Field
        label="Days until members sign in again"
        hint="1 to 90. Sessions that are already older end immediately, including yours."
        error={fault}
      >
        {(control) => (
          <span className="block max-w-32">
            <Input
              {...control}
              inputMode="numeric"
              value={text}
              onChange={(event) => setText(event.target.value)}
              autoComplete="off"
              className="nums"
            />
          </span>
        )}
      </Field>
      {change.error === null ? null : <FailureNotice error={change.error} />}
      <Button type="submit" pending={change.isPending}>
        {change.isPending ? 'Saving…' : 'Set limit'}
      </Button>
    </form>
  );
}
