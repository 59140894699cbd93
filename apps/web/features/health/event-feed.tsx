'use client';

import { Badge, Button, Card, EmptyState, type Tone } from '@penstock/ui';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Rss } from 'lucide-react';
import { EVENTS_PER_PAGE, useLivePart } from '../../lib/live';
import { DateTime } from '../../lib/time';
import { QueryState, type RouterOutputs, useTRPC } from '../../lib/trpc';

type CloudEvent = RouterOutputs['health']['events']['events'][number];

const TYPES: Readonly<Record<string, { tone: Tone; label: string }>> = {
  'io.penstock.health.raised': { tone: 'warn', label: 'Issue opened' },
  'io.penstock.health.resolved': { tone: 'ok', label: 'Issue resolved' },
  'io.penstock.agent.joined': { tone: 'neutral', label: 'Agent joined' },
  'io.penstock.agent.back': { tone: 'ok', label: 'Agent back' },
  'io.penstock.agent.left': { tone: 'neutral', label: 'Agent left' },
  'io.penstock.agent-key.new-network': { tone: 'warn', label: 'New network' },
  'io.penstock.agent-key.refused': { tone: 'warn', label: 'Key refused' },
  'io.penstock.agent-key.expiring': { tone: 'warn', label: 'Key expires' },
  'io.penstock.agent-address.pending': { tone: 'warn', label: 'Address waits' },
  'io.penstock.agent-address.refused': { tone: 'warn', label: 'Address refused' },
  'io.penstock.agent.lost': { tone: 'warn', label: 'Agent lost' },
  'io.penstock.agents.changed': { tone: 'neutral', label: 'Agents changed' },
  'io.penstock.silence.created': { tone: 'neutral', label: 'Silenced' },
  'io.penstock.silence.ended': { tone: 'neutral', label: 'Silence ended' },
};

interface EventFeedProps {
  clusterId: string;
  /** Only events about this subject, e.g. `agent/12`; all by default. */
  subject?: string;
  title?: string;
  description?: string;
  /** Shown when there are no events. */
  nothing?: { title: string; text: string };
}

/** The cluster's events, newest first. New events appear automatically. */
export function EventFeed({
  clusterId,
  subject,
  title = 'Events',
  description = 'Agent changes, health issues and silences, newest first. Kept for 90 days in the CloudEvents 1.0 format.',
  nothing = { title: 'No events yet', text: 'Events appear here when the first agent joins.' },
}: EventFeedProps) {
  const trpc = useTRPC();
  const { following } = useLivePart({ kind: 'events' });
  const feed = useInfiniteQuery({
    ...trpc.health.events.infiniteQueryOptions(
      { clusterId, limit: EVENTS_PER_PAGE, ...(subject === undefined ? {} : { subject }) },
      { getNextPageParam: (page) => page.nextCursor ?? undefined },
    ),
    ...following,
  });
  const events = feed.data?.pages.flatMap((page) => page.events);
  return (
    <Card title={title} description={description} flush>
      <QueryState
        query={{ data: events, error: feed.error, refetch: feed.refetch }}
        label="Loading events"
        rows={5}
        empty={
          <EmptyState icon={<Rss />} title={nothing.title}>
            {nothing.text}
          </EmptyState>
        }
      >
        {(list) => (
          <ol aria-label={`${title}, newest first`} className="divide-y divide-line text-sm">
            {list.map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </ol>
        )}
      </QueryState>
      {feed.hasNextPage ? (
        <div className="flex justify-center border-line border-t p-3">
          <Button size="sm" pending={feed.isFetchingNextPage} onClick={() => void feed.fetchNextPage()}>
            {feed.isFetchingNextPage ? 'Loading…' : 'Older events'}
          </Button>
        </div>
      ) : null}
    </Card>
  );
}

function EventRow({ event }: { event: CloudEvent }) {
  const { tone, label } = TYPES[event.type] ?? { tone: 'neutral', label: event.type };
  const isCritical = event.data['severity'] === 'critical';
  return (
    <li className="flex flex-col gap-x-4 gap-y-1 px-4 py-3 sm:flex-row sm:px-5">
      <span className="w-52 shrink-0 text-ink-3 text-xs leading-5">
        <DateTime timeMs={Date.parse(event.time)} />
      </span>
      <span className="w-28 shrink-0">
        <Badge tone={isCritical ? 'danger' : tone} dot>
          {label}
        </Badge>
      </span>
      <span className="min-w-0 break-words text-ink-2 leading-5">{String(event.data['text'] ?? '')}</span>
    </li>
  );
}
