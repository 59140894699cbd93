'use client';

import { updateWebhookInput } from '@penstock/api/inputs';
import { Badge, Button, Card, CodeBlock, Notice, type Tone, useToast } from '@penstock/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Form, showOnce, TextField, useForm } from '../../../lib/forms';
import { Ago } from '../../../lib/time';
import { FailureNotice, QueryState, type RouterOutputs, useTRPC } from '../../../lib/trpc';
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
  const options = trpc.billing.updateWebhook.mutationOptions(
    showOnce(({ secret }) => {
      if (secret !== null) {
        onSecret(secret);
      }
    }, refresh),
  );
  const update = useMutation(options);
  const remove = useMutation(options);
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
  const form = useForm({ initial: { webhookUrl: url ?? '' }, schema: updateWebhookInput, send: update.mutateAsync });
  const error = test.error ?? remove.error;
  return (
    <Form
      form={form}
      labels={['Save', 'Saving…']}
      buttons={
        url === null ? null : (
          <>
            <Button variant="quiet" pending={test.isPending} onClick={() => test.mutate()}>
              Send test event
            </Button>
            <Button variant="quiet" pending={remove.isPending} onClick={() => remove.mutate({ webhookUrl: null })}>
              Remove
            </Button>
          </>
        )
      }
    >
      <TextField
        form={form}
        name="webhookUrl"
        label="URL"
        hint="An https URL that is reachable from the internet. Changing the URL creates a new secret."
        type="url"
        placeholder="https://example.com/penstock"
      />
      {error === null ? null : <FailureNotice error={error} />}
    </Form>
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
