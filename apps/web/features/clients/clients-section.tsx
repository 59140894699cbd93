'use client';

import { Card, CodeBlock, EmptyState } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Cable } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { RangePicker, useAddress, useTimeRange, type Window, windowOf, zoomedTo } from '../../lib/time-range';
import { QueryState, useTRPC } from '../../lib/trpc';
import { useLiveClock } from '../metrics';
import { IntentLink } from '../shell';
import { ClientMetrics } from './client-metrics';
import { ClientTable, clientName } from './client-table';

const SUBSCRIBE = `kafka-client-metrics.sh --bootstrap-server <agent>:9092 --alter --generate-name \\
  --metrics org.apache.kafka. --interval 30000`;

/** Kafka clients that push their own metrics (KIP-714): who they are, and the metrics of one client ID. */
export function ClientsSection({ clusterId }: { clusterId: string }) {
  const [range, setRange] = useTimeRange();
  const [shownId, show] = useShownClient();
  const window: Window = windowOf(range, useLiveClock());
  const query = useQuery({
    ...useTRPC().telemetry.clients.queryOptions({ clusterId, fromMs: window.startMs, toMs: window.endMs }),
    enabled: window.endMs > window.startMs && window.startMs > 0,
    placeholderData: keepPreviousData,
  });
  const zoom = useCallback((picked: Window) => setRange(zoomedTo(picked, Date.now())), [setRange]);
  // Without a choice, the first one.
  const shown = shownId ?? query.data?.clients[0]?.clientId ?? null;
  return (
    <div className="flex flex-col gap-6">
      <RangePicker range={range} onChange={setRange} />
      <Card
        title="Clients"
        description="Kafka clients that push their own metrics to this cluster, by client ID."
        flush
      >
        <QueryState query={query} label="Loading clients">
          {({ clients, isTruncated, droppedPushes }) => (
            <>
              {isTruncated ? (
                <Note>This range holds more than we can list. Choose a shorter range to see every client.</Note>
              ) : null}
              {droppedPushes > 0 ? <DroppedNote pushes={droppedPushes} /> : null}
              {clients.length > 0 ? (
                <ClientTable clients={clients} shownId={shown} onShow={show} />
              ) : droppedPushes > 0 ? (
                <EmptyState icon={<Cable />} title="No client metrics were kept in this range">
                  Choose a longer range to see those of earlier hours.
                </EmptyState>
              ) : (
                <NoClients />
              )}
            </>
          )}
        </QueryState>
      </Card>
      {shown === null ? null : (
        <section aria-labelledby="client-metrics" className="flex flex-col gap-4">
          <h2 id="client-metrics" className="break-words font-semibold text-ink text-lg">
            {clientName(shown)}
          </h2>
          <ClientMetrics clusterId={clusterId} clientId={shown} window={window} onZoom={zoom} />
        </section>
      )}
    </div>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <p className="px-4 py-3 text-[0.8125rem] text-ink-3 sm:px-5">{children}</p>;
}

/** Says that charts have gaps, why, and what to do. */
function DroppedNote({ pushes }: { pushes: number }) {
  return (
    <Note>
      Metrics are incomplete: your clients pushed more than a cluster or an agent keeps per hour. Pushes dropped in the
      hours of this range: {formatCount(pushes)}. Set a longer interval in your subscriptions, or match fewer clients.{' '}
      <DocsLink />
    </Note>
  );
}

function NoClients() {
  return (
    <>
      <EmptyState icon={<Cable />} title="No client metrics in this range">
        Java clients from 3.7 and librdkafka from 2.5 push their metrics when a subscription asks for them. Create one
        with Kafka’s tool, and clients push within five minutes. <DocsLink />
      </EmptyState>
      <div className="mx-auto max-w-2xl px-4 pb-8 sm:px-5">
        <CodeBlock code={SUBSCRIBE} title="Terminal" />
      </div>
    </>
  );
}

function DocsLink() {
  return (
    <IntentLink href="/docs/kafka#client-metrics" className="font-medium text-accent-ink underline underline-offset-4">
      How client metrics work
    </IntentLink>
  );
}

/** The client ID in the page's address; null when none is chosen. */
function useShownClient(): [string | null, (clientId: string) => void] {
  const [parameters, setParameters] = useAddress();
  const show = useCallback(
    (clientId: string) => {
      const next = new URLSearchParams(parameters);
      next.set('client', clientId);
      setParameters(next);
    },
    [parameters, setParameters],
  );
  return [parameters.get('client'), show];
}
