'use client';

import { Badge } from '@penstock/ui';
import { agentPath } from '../../lib/routes';
import { Ago } from '../../lib/time';
import { type VirtualColumn, VirtualTable } from '../../lib/virtual-table';
import { zoneText } from '../metrics';
import { IntentLink } from '../shell';
import { type AgentRow, kafkaAddress } from './agent-rows';
import { byteRateText, bytesText, coresText, latencyText, NO_FIGURE, rateText } from './figures';

/** The agent list. Draws only the visible rows, because there may be a thousand. */
export function AgentTable({ clusterId, rows }: { clusterId: string; rows: readonly AgentRow[] }) {
  return (
    <VirtualTable<AgentRow>
      label="Agents"
      rows={rows}
      columns={columnsOf(clusterId)}
      rowKey={({ agent }) => agent.agentId}
      minWidth="74rem"
      className="max-h-[36rem] rounded-b-xl"
    />
  );
}

function columnsOf(clusterId: string): VirtualColumn<AgentRow>[] {
  return [
    {
      key: 'agent',
      header: 'Agent',
      track: '6rem',
      stack: 'title',
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
      cell: ({ agent }) => <HealthBadge alive={agent.alive} />,
    },
    { key: 'zone', header: 'Zone', track: 'minmax(5.5rem, 1fr)', cell: ({ agent }) => zoneText(agent.zone) },
    {
      key: 'address',
      header: 'Kafka address',
      track: 'minmax(9.5rem, 1.4fr)',
      cell: ({ agent }) => <span className="font-mono text-xs">{kafkaAddress(agent)}</span>,
    },
    { key: 'version', header: 'Version', track: '5rem', stack: 'none', cell: ({ agent }) => agent.version },
    {
      key: 'seen',
      header: 'Last seen',
      track: '6rem',
      label: 'Seen',
      cell: ({ agent }) => <Ago timeMs={agent.lastSeenMs} />,
    },
    {
      key: 'in',
      header: 'In',
      label: 'In',
      track: '6rem',
      numeric: true,
      cell: ({ reading }) => byteRateText(reading?.producedBytesPerS),
    },
    {
      key: 'out',
      header: 'Out',
      label: 'Out',
      track: '6rem',
      numeric: true,
      cell: ({ reading }) => byteRateText(reading?.fetchedBytesPerS),
    },
    {
      key: 'p99',
      header: 'Produce p99',
      label: 'p99',
      track: '6rem',
      numeric: true,
      cell: ({ reading }) => latencyText(reading?.produceP99Ms),
    },
    {
      key: 'cpu',
      header: 'CPU',
      track: '6rem',
      numeric: true,
      stack: 'none',
      cell: ({ cpuCores }) => coresText(cpuCores),
    },
    {
      key: 'memory',
      header: 'Memory',
      stack: 'none',
      track: '6rem',
      numeric: true,
      cell: ({ residentBytes }) => bytesText(residentBytes),
    },
    {
      key: 'errors',
      header: 'Errors',
      label: 'Errors',
      track: '5rem',
      numeric: true,
      cell: ({ reading }) => (reading === undefined ? NO_FIGURE : rateText(reading.errorsPerS)),
    },
  ];
}

export function HealthBadge({ alive }: { alive: boolean }) {
  return alive ? (
    <Badge tone="ok" dot>
      Healthy
    </Badge>
  ) : (
    <Badge tone="warn" dot>
      Offline
    </Badge>
  );
}
