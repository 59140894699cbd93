'use client';

import { Card, CopyButton, Notice, Skeleton } from '@penstock/ui';
import { formatCount, formatCountOf } from '@penstock/units';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { clusterPath } from '../../lib/routes';
import { Ago, DateTime } from '../../lib/time';
import { RangePicker, useTimeRange } from '../../lib/time-range';
import { useCluster } from '../cluster';
import { EventFeed } from '../health';
import { ChartsOrState, PercentileChoice, useMetrics, usePercentile, zoneText } from '../metrics';
import { IntentLink } from '../shell';
import { type AgentRow, haveLandingBuckets, kafkaAddress, landingText } from './agent-rows';
import { HealthBadge } from './agent-table';
import { DiagnosisCard } from './diagnosis-card';
import { byteRateText, bytesText, coresText, latencyText, NO_FIGURE } from './figures';
import { useAgentReading } from './use-agent-reading';
import { useAgentRows } from './use-agent-rows';

/** There is one agent, so lines are not grouped by agent. */
const ALONE = { isGrouped: false, nameOf: (group: string) => group };

/** One agent: its identity, current measurements and charts. */
export function AgentSection({ clusterId, agentId }: { clusterId: string; agentId: string }) {
  const cluster = useCluster();
  const [range, setRange] = useTimeRange();
  const [percentile, setPercentile] = usePercentile();
  const agentIds = useMemo(() => [agentId], [agentId]);
  const { query, window } = useMetrics(clusterId, range, 'agent', agentIds);
  const { rows } = useAgentRows(clusterId);
  const row = rows?.find(({ agent }) => agent.agentId === agentId);
  return (
    <div className="flex flex-col gap-6">
      <IntentLink
        href={clusterPath(clusterId, 'agents')}
        className="inline-flex items-center gap-1 self-start rounded text-[0.8125rem] text-ink-3 hover:text-ink"
      >
        <ArrowLeft aria-hidden className="size-3.5" />
        All agents
      </IntentLink>
      {rows === null ? (
        <Skeleton className="h-40 rounded-xl" />
      ) : row === undefined ? (
        <Notice title="This agent isn’t registered">
          Agents are removed from the list an hour after they were last seen. Their metrics are kept. Choose a time
          range in which this agent was running.
        </Notice>
      ) : (
        <AgentCard clusterId={clusterId} row={row} hasLanding={haveLandingBuckets(rows)} />
      )}
      <DiagnosisCard clusterId={clusterId} agentId={agentId} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <RangePicker range={range} onChange={setRange} />
        <PercentileChoice value={percentile} onChange={setPercentile} />
      </div>
      <ChartsOrState
        query={query}
        answer={query.data}
        isOfAnother={false}
        isEmpty={false}
        clusterId={clusterId}
        window={window}
        grouping={ALONE}
        percentile={percentile}
        isLowLatency={cluster.mode === 'low-latency'}
        fileName={`${cluster.name}-node-${row?.agent.nodeId ?? agentId}`}
        setRange={setRange}
      />
      {row === undefined ? null : (
        <EventFeed
          clusterId={clusterId}
          subject={`agent/${row.agent.nodeId}`}
          title="History"
          description="When this agent joined, left, was lost and came back. Events are kept for 90 days."
          nothing={{
            title: 'No events',
            text: 'It joined at the same time as many other agents, or before the oldest event that we keep.',
          }}
        />
      )}
    </div>
  );
}

interface AgentCardProps {
  clusterId: string;
  row: AgentRow;
  /** Whether an agent of the cluster has landing buckets. */
  hasLanding: boolean;
}

function AgentCard({ clusterId, row: { agent, cpuCores, residentBytes }, hasLanding }: AgentCardProps) {
  const reading = useAgentReading(clusterId, agent);
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-3">
          Node {agent.nodeId}
          <HealthBadge alive={agent.alive} />
        </span>
      }
      description={
        <span className="flex min-w-0 items-center gap-1">
          <span className="truncate font-mono">{agent.agentId}</span>
          <CopyButton text={agent.agentId} label="Copy agent ID" iconOnly />
        </span>
      }
    >
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-3 lg:grid-cols-6">
        <Fact label="Zone">{zoneText(agent.zone)}</Fact>
        <Fact label="Version">{agent.version}</Fact>
        <Fact label="Kafka address">
          <span className="break-all font-mono text-xs">{kafkaAddress(agent)}</span>
        </Fact>
        <Fact label="Registered">
          <DateTime timeMs={agent.registeredAtMs} />
        </Fact>
        <Fact label="Last seen">
          <Ago timeMs={agent.lastSeenMs} />
        </Fact>
        <Fact label="Connections">
          {reading?.openConnections == null ? NO_FIGURE : formatCount(reading.openConnections)}
        </Fact>
        <Fact label="In">{byteRateText(reading?.producedBytesPerS)}</Fact>
        <Fact label="Out">{byteRateText(reading?.fetchedBytesPerS)}</Fact>
        <Fact label="Produce p99">{latencyText(reading?.latencies.produce?.p99_ms)}</Fact>
        <Fact label="CPU">{coresText(cpuCores)}</Fact>
        <Fact label="Memory">{bytesText(residentBytes)}</Fact>
        <Fact label="Clock offset">{clockText(reading?.clockOffset_ms)}</Fact>
        {hasLanding ? <Fact label="Landing zones">{landingText(agent)}</Fact> : null}
      </dl>
      {reading === undefined || reading.refusedReports === 0 ? null : (
        <div className="mt-4">
          <Notice
            tone="warn"
            title={`${formatCountOf(reading.refusedReports, 'report')} rejected since this agent started`}
          >
            {reading.lastRefusal ?? 'No reason was recorded.'} Charts have gaps where reports are missing.
          </Notice>
        </div>
      )}
    </Card>
  );
}

function clockText(offsetMs: number | null | undefined): string {
  if (offsetMs === null || offsetMs === undefined) {
    return NO_FIGURE;
  }
  return `${offsetMs > 0 ? '+' : ''}${latencyText(offsetMs)}`;
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-[0.8125rem] text-ink-3">{label}</dt>
      <dd className="nums min-w-0 text-ink [&_time]:whitespace-normal">{children}</dd>
    </div>
  );
}
