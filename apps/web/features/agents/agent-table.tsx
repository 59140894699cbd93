'use client';

import { Badge } from '@penstock/ui';
import { agentPath } from '../../lib/routes';
import { type Column, DataTable } from '../../lib/table';
import { zoneText } from '../metrics';
import { IntentLink } from '../shell';
import { type AgentRow, kafkaAddress } from './agent-rows';
import { byteRateText, bytesText, coresText, latencyText, rateText } from './figures';

/** The agent list. Draws only the visible rows, because there may be a thousand. */
export function AgentTable({ clusterId, rows }: { clusterId: string; rows: readonly AgentRow[] }) {
  return (
    <DataTable<AgentRow>
      label="Agents"
      noun="agent"
      address=""
      filterBy="node, ID, address or version"
      rows={rows}
      columns={columnsOf(clusterId)}
      rowKey={({ agent }) => agent.agentId}
      inView={{ minWidth: '74rem', className: 'max-h-[36rem] rounded-b-xl' }}
    />
  );
}

function columnsOf(clusterId: string): Column<AgentRow>[] {
  return [
    {
      key: 'agent',
      header: 'Agent',
      track: '6rem',
      stack: 'title',
      value: ({ agent }) => agent.nodeId,
      search: ({ agent }) => `node ${agent.nodeId} ${agent.agentId}`,
      cell: ({ agent }) => (
        <IntentLink
          href={agentPath(clusterId, agent.agentId)}
          title={agent.agentId}
          className="rounded font-medium text-ink underline-offset-4 hover:underline"
        >
          Node {agent.nodeId}
        </IntentLink>
      ),
    },
    {
      key: 'health',
      header: 'Health',
      track: '6rem',
      stack: 'aside',
      value: ({ agent }) => healthText(agent),
      cell: ({ agent }) => <HealthBadge alive={agent.alive} />,
    },
    { key: 'zone', header: 'Zone', track: 'minmax(5.5rem, 1fr)', value: ({ agent }) => zoneText(agent.zone) },
    {
      key: 'address',
      header: 'Kafka address',
      track: 'minmax(9.5rem, 1.4fr)',
      className: 'font-mono text-xs',
      value: ({ agent }) => kafkaAddress(agent),
      search: 'value',
    },
    {
      key: 'version',
      header: 'Version',
      track: '5rem',
      stack: 'none',
      value: ({ agent }) => agent.version,
      search: 'value',
    },
    {
      key: 'seen',
      header: 'Last seen',
      track: '6rem',
      label: 'Seen',
      value: ({ agent }) => new Date(agent.lastSeenMs),
      isAgo: true,
    },
    {
      key: 'in',
      header: 'In',
      label: 'In',
      track: '6rem',
      numeric: true,
      value: ({ reading }) => reading?.producedBytesPerS ?? null,
      cell: ({ reading }) => byteRateText(reading?.producedBytesPerS),
    },
    {
      key: 'out',
      header: 'Out',
      label: 'Out',
      track: '6rem',
      numeric: true,
      value: ({ reading }) => reading?.fetchedBytesPerS ?? null,
      cell: ({ reading }) => byteRateText(reading?.fetchedBytesPerS),
    },
    {
      key: 'p99',
      header: 'Produce p99',
      label: 'p99',
      track: '6rem',
      numeric: true,
      value: ({ reading }) => reading?.produceP99Ms ?? null,
      cell: ({ reading }) => latencyText(reading?.produceP99Ms),
    },
    {
      key: 'cpu',
      header: 'CPU',
      track: '6rem',
      numeric: true,
      stack: 'none',
      value: ({ cpuCores }) => cpuCores ?? null,
      cell: ({ cpuCores }) => coresText(cpuCores),
    },
    {
      key: 'memory',
      header: 'Memory',
      stack: 'none',
      track: '6rem',
      numeric: true,
      value: ({ residentBytes }) => residentBytes ?? null,
      cell: ({ residentBytes }) => bytesText(residentBytes),
    },
    {
      key: 'errors',
      header: 'Errors',
      label: 'Errors',
      track: '5rem',
      numeric: true,
      value: ({ reading }) => reading?.errorsPerS ?? null,
      cell: ({ reading }) => rateText(reading?.errorsPerS),
    },
  ];
}

function healthText({ alive }: { alive: boolean }): string {
  return alive ? 'Healthy' : 'Offline';
}

export function HealthBadge({ alive }: { alive: boolean }) {
  return (
    <Badge tone={alive ? 'ok' : 'warn'} dot>
      {healthText({ alive })}
    </Badge>
  );
}
