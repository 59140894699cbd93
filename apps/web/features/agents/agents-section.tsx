'use client';

import { Button, Card, EmptyState, SkeletonRows } from '@penstock/ui';
import { Server } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { clusterPath } from '../../lib/routes';
import { FailureNotice } from '../../lib/trpc';
import { IntentLink } from '../shell';
import { inOrder, landingSummary, zoneSummaries } from './agent-rows';
import { AgentTable } from './agent-table';
import { useAgentRows } from './use-agent-rows';
import { ZoneMap } from './zone-map';

/** Zones and their agents with the latest measurements. */
export function AgentsSection({ clusterId }: { clusterId: string }) {
  const { rows, readings } = useAgentRows(clusterId);
  const [zone, setZone] = useState<string | null>(null);
  const zones = useMemo(() => zoneSummaries(rows ?? []), [rows]);
  const landing = useMemo(() => landingSummary(rows ?? []), [rows]);
  const chosen = zones.some((summary) => summary.zone === zone) ? zone : null;
  // Draws the pressed zone first, then the list of up to a thousand agents.
  const wanted = useDeferredValue(chosen);
  const shown = useMemo(
    () => inOrder(rows ?? []).filter(({ agent }) => wanted === null || agent.zone === wanted),
    [rows, wanted],
  );
  if (rows === null) {
    return (
      <Card title="Agents" flush>
        <SkeletonRows rows={4} label="Loading agents" />
      </Card>
    );
  }
  if (rows.length === 0) {
    return (
      <Card title="Agents" flush>
        <EmptyState
          icon={<Server />}
          title="No agent has registered yet"
          action={
            <Button asChild variant="primary">
              <IntentLink href={clusterPath(clusterId, 'connect')}>Show the command</IntentLink>
            </Button>
          }
        >
          An agent is a process that you run in your account. Start one with one of this cluster’s agent keys. It
          appears here within seconds.
        </EmptyState>
      </Card>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      {readings.error === null ? null : (
        <FailureNotice error={readings.error} onRetry={() => void readings.refetch()} />
      )}
      <ZoneMap zones={zones} chosen={chosen} onChoose={setZone} />
      <Card
        title="Agents"
        description="Agents that are alive or were seen in the last hour. Any agent can serve any partition. Figures cover the last 20 s."
        flush
      >
        {landing === null ? null : (
          <p className="border-line border-b px-4 py-3 text-[0.8125rem] text-ink-3 sm:px-5">Landing zones: {landing}</p>
        )}
        <AgentTable clusterId={clusterId} rows={shown} />
      </Card>
    </div>
  );
}
