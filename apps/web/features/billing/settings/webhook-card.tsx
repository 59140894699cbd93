'use client';

import { updateWebhookInput } from '@penstock/api/inputs';
import { Badge, Button, Card, CodeBlock, Field, Input, Notice, type Tone, useToast } from '@penstock/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { firstFaults, showOnce } from '../../../lib/forms';
import { Ago } from '../../../lib/time';
import { FailureNotice, failureText, QueryState, type RouterOutputs, toFailure, useTRPC } from '../../../lib/trpc';
import { useRefreshBilling } from './use-refresh-billing';

type Webhook = RouterOutputs['billing']['webhook'];

/** Deliveries change while the page is open. */
const REFRESH_MS = 5_000;

export function WebhookCard() {
  const trpc = useTRPC();
  const webhook = useQuery({ ...trpc.billing.webhook.queryOptions(), refetchInterval: REFRESH_MS });
  // Kept outside the form, which resets when the next refresh brings the new URL.
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Card
      title="Webhook"
      description="Receives an event when usage reaches a budget threshold or the spending cap, when a cap is lifted, and when a cluster health issue opens or is resolved. Failed deliveries are retried for about six hours."
    >
      <QueryState query={webhook} label="Loading webhook" rows={2}>
        {(data) => (
          <div className="flex flex-col gap-5">
            {secret === null ? (
              <WebhookForm key={data.url} url={data.url} onSecret={setSecret} />
            ) : (
              <NewSecret secret={secret} onCopied={() => setSecret(null)} />
            )}
            <Deliveries deliveries={data.deliveries} />
          </div>
        )}
      </QueryState>
    </Card>
  );
}

/** The secret is shown only once, so the dialog stays until the user confirms having copied it. */
function NewSecret({ secret, onCopied }: { secret: string; onCopied: () => void }) {
  return (
    <div className="flex flex-col gap-3">
      <Notice tone="warn" title="Copy the signing secret now">
        The secret won’t be shown again. Each request has the header Penstock-Signature: t=…,v1=…, where v1 is the
        hexadecimal HMAC-SHA256 of “t.body” with this secret.
      </Notice>
      <CodeBlock title="Signing secret" code={secret} />
      <div>
        <Button onClick={onCopied}>I’ve copied it</Button>
      </div>
    </div>
  );
}

function WebhookForm({ url, onSecret }: { url: string | null; onSecret: (secret: string) => void }) {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefreshBilling();
  const [text, setText] = useState(url ?? '');
  const [fault, setFault] = useState<string | undefined>(undefined);
  const update = useMutation(
    trpc.billing.updateWebhook.mutationOptions(
      showOnce(({ secret }) => {
        if (secret !== null) {
          onSecret(secret);
        }
      }, refresh),
    ),
  );
  const test = useMutation(
    trpc.billing.sendTestWebhook.mutationOptions({
      onSuccess: async () => {
        await refresh();
        toast({
          title: 'Test event queued',
          description: 'It will be sent within a minute. See the deliveries below.',
        });
      },
    }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = updateWebhookInput.safeParse({ webhookUrl: text });
    setFault(parsed.success ? undefined : firstFaults(parsed.error)['webhookUrl']);
    if (parsed.success && !update.isPending) {
      update.mutate(parsed.data);
    }
  };
  const failure = update.error === null ? null : toFailure(update.error);
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-3">
      <Field
        label="URL"
        hint="An https URL that is reachable from the internet. Changing the URL creates a new secret."
        error={fault ?? (failure?.field === 'webhookUrl' ? failureText(failure) : undefined)}
      >
        {(control) => (
          <Input
            {...control}
            type="url"
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
            placeholder="https://example.com/penstock"
          />
        )}
      </Field>
      {failure !== null && failure.field !== 'webhookUrl' ? <FailureNotice error={update.error} /> : null}
      {test.error === null ? null : <FailureNotice error={test.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" pending={update.isPending}>
          {update.isPending ? 'Saving…' : 'Save'}
        </Button>
        {url === null ? null : (
          <>
            <Button variant="quiet" pending={test.isPending} onClick={() => test.mutate()}>
              Send test event
            </Button>
            <Button variant="quiet" pending={update.isPending} onClick={() => update.mutate({ webhookUrl: null })}>
              Remove
            </Button>
          </>
        )}
      </div>
    </form>
  );
}

const STATES: Readonly<Record<Webhook['deliveries'][number]['state'], { tone: Tone; text: string }>> = {
  waiting: { tone: 'neutral', text: 'Pending' },
  delivered: { tone: 'ok', text: 'Delivered' },
  'given up': { tone: 'danger', text: 'Failed' },
};

function Deliveries({ deliveries }: { deliveries: Webhook['deliveries'] }) {
  if (deliveries.length === 0) {
    return null;
  }
  return (
    <div>
      <h3 className="font-medium text-ink text-sm">Recent deliveries</h3>
      <ul className="mt-2 flex flex-col divide-y divide-line text-sm">
        {deliveries.map((delivery) => (
          <li key={delivery.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
            <span className="min-w-0">
              <span className="font-mono text-ink text-xs">{delivery.event}</span>{' '}
              <span className="text-ink-3 text-xs">
                <Ago timeMs={delivery.createdAt.getTime()} />
                {delivery.attempts > 1 ? `, ${delivery.attempts} attempts` : ''}
              </span>
              {delivery.lastError === null ? null : (
                <span className="block text-ink-3 text-xs">Last attempt: {delivery.lastError}.</span>
              )}
            </span>
            <Badge tone={STATES[delivery.state].tone} dot>
              {STATES[delivery.state].text}
            </Badge>
          </li>
        ))}
      </ul>
    </div>
  );
}
