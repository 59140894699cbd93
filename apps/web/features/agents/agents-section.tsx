'use client';

import { Button, Card, EmptyState, Input, Select, type SelectOption, SkeletonRows } from '@penstock/ui';
import { formatPartOf } from '@penstock/units';
import { Server } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { clusterPath } from '../../lib/routes';
import { FailureNotice } from '../../lib/trpc';
import { IntentLink } from '../shell';
import { type AgentOrder, inOrder, isMatch, landingSummary, zoneSummaries } from './agent-rows';
import { AgentTable } from './agent-table';
import { useAgentRows } from './use-agent-rows';
import { ZoneMap } from './zone-map';

const ORDERS: readonly (SelectOption & { value: AgentOrder })[] = [
  { value: 'node', label: 'By node' },
  { value: 'traffic', label: 'Most traffic first' },
  { value: 'latency', label: 'Slowest first' },
  { value: 'errors', label: 'Most errors first' },
  { value: 'cpu', label: 'Most CPU first' },
  { value: 'memory', label: 'Most memory first' },
];

/** Zones and their agents with the latest measurements. */
export function AgentsSection({ clusterId }: { clusterId: string }) {
  const { rows, readings } = useAgentRows(clusterId);
  const [zone, setZone] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const [order, setOrder] = useState<AgentOrder>('node');
  const zones = useMemo(() => zoneSummaries(rows ?? []), [rows]);
  const landing = useMemo(() => landingSummary(rows ?? []), [rows]);
  const chosen = zones.some((summary) => summary.zone === zone) ? zone : null;
  // Draws the pressed control first, then the list of up to a thousand agents.
  const wanted = { zone: useDeferredValue(chosen), text: useDeferredValue(typed), order: useDeferredValue(order) };
  const shown = useMemo(
    () =>
      inOrder(
        (rows ?? []).filter(
          (row) => (wanted.zone === null || row.agent.zone === wanted.zone) && isMatch(row, wanted.text),
        ),
        wanted.order,
      ),
    [rows, wanted.zone, wanted.text, wanted.order],
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
        <div className="flex flex-wrap items-center gap-3 border-line border-b px-4 py-3 sm:px-5">
          <Input
            type="search"
            aria-label="Filter agents by node, ID, address or version"
            placeholder="Node, ID, address or version"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            className="max-w-64"
          />
          <div className="w-48">
            <Select
              aria-label="Sort by"
              value={order}
              options={ORDERS}
              onValueChange={(value) => setOrder(ORDERS.find((option) => option.value === value)?.value ?? 'node')}
            />
          </div>
          <p role="status" className="nums text-[0.8125rem] text-ink-3">
            {formatPartOf(shown.length, rows.length, 'agent')}
          </p>
          {landing === null ? null : <p className="w-full text-[0.8125rem] text-ink-3">Landing zones: {landing}</p>}
        </div>
        {shown.length === 0 ? (
          <EmptyState title="No agents match">Clear the filter to see all agents.</EmptyState>
        ) : (
          <AgentTable clusterId={clusterId} rows={shown} />
        )}
      </Card>
    </div>
  );
}
