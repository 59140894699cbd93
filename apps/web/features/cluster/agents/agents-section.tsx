'use client';

import { Badge, Button, Card, EmptyState, SkeletonRows, Table, Td, Th, Tr } from '@penstock/ui';
import { formatBytes, formatCount } from '@penstock/units';
import { Server } from 'lucide-react';
import Link from 'next/link';
import { clusterPath } from '../../routes';
import { Ago } from '../../time';
import { useLiveCluster } from '../live/live-cluster';
import type { LiveAgent } from '../live/live-view';

function bytesText(bytes: number): string {
  const { value, unit } = formatBytes(bytes);
  return `${value} ${unit}`;
}

function aliveFirst(agents: readonly LiveAgent[]): LiveAgent[] {
  return agents.toSorted((left, right) => Number(right.alive) - Number(left.alive) || left.nodeId - right.nodeId);
}

export function AgentsSection({ clusterId }: { clusterId: string }) {
  const { view, coresByAgent } = useLiveCluster();
  return (
    <Card
      title="Agents"
      description="Alive now, or seen within the last hour. Any agent serves any partition. PUTs and GETs count since the agent’s start."
      flush
    >
      {view === null ? (
        <SkeletonRows rows={2} label="Loading agents" />
      ) : view.agents.length === 0 ? (
        <EmptyState
          icon={<Server />}
          title="No agent has registered yet"
          action={
            <Button asChild variant="primary">
              <Link href={clusterPath(clusterId, 'connect')}>Show the command</Link>
            </Button>
          }
        >
          An agent is one process in your account. Start one with a key of this cluster and it appears here within
          seconds.
        </EmptyState>
      ) : (
        <Table label="Agents">
          <thead>
            <tr>
              <Th>Agent</Th>
              <Th>Health</Th>
              <Th>Zone</Th>
              <Th>Kafka address</Th>
              <Th>Version</Th>
              <Th>Last seen</Th>
              <Th numeric>CPU</Th>
              <Th numeric>Memory</Th>
              <Th numeric>Connections</Th>
              <Th numeric>Object PUTs</Th>
              <Th numeric>Object GETs</Th>
            </tr>
          </thead>
          <tbody>
            {aliveFirst(view.agents).map((agent) => (
              <AgentRow key={agent.agentId} agent={agent} cores={coresByAgent.get(agent.agentId)} />
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}

function AgentRow({ agent, cores }: { agent: LiveAgent; cores: number | undefined }) {
  const { stats } = agent;
  return (
    <Tr>
      <Td className="whitespace-nowrap">
        <span className="font-medium text-ink">Node {agent.nodeId}</span>
        <span className="block max-w-48 truncate font-mono text-ink-3 text-xs" title={agent.agentId}>
          {agent.agentId}
        </span>
      </Td>
      <Td>
        {agent.alive ? (
          <Badge tone="ok" dot>
            Healthy
          </Badge>
        ) : (
          <Badge tone="warn" dot>
            Gone
          </Badge>
        )}
      </Td>
      <Td className="whitespace-nowrap">
        {agent.zone === '' ? <span className="text-ink-3">not set</span> : agent.zone}
      </Td>
      <Td className="whitespace-nowrap font-mono text-xs">
        {agent.advertisedHost}:{agent.advertisedPort}
      </Td>
      <Td className="nums whitespace-nowrap">{agent.version}</Td>
      <Td>
        <Ago timeMs={agent.lastSeenMs} />
      </Td>
      <Td numeric>{cores === undefined || !agent.alive ? '–' : `${cores.toFixed(2)} cores`}</Td>
      <Td numeric>{stats === null ? '–' : bytesText(stats.residentBytes)}</Td>
      <Td numeric>{stats === null ? '–' : formatCount(stats.openConnections)}</Td>
      <Td numeric>{stats === null ? '–' : formatCount(stats.objectPuts)}</Td>
      <Td numeric>{stats === null ? '–' : formatCount(stats.objectGets)}</Td>
    </Tr>
  );
}
