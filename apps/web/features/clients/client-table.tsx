'use client';

import { Button } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { useMemo } from 'react';
import { Ago } from '../../lib/time';
import type { RouterOutputs } from '../../lib/trpc';
import { type VirtualColumn, VirtualTable } from '../../lib/virtual-table';

export type KafkaClient = RouterOutputs['telemetry']['clients']['clients'][number];

/** How a client ID is shown; some clients have none. */
export function clientName(clientId: string): string {
  return clientId === '' ? 'No client ID' : clientId;
}

interface ClientTableProps {
  clients: readonly KafkaClient[];
  shownId: string | null;
  onShow: (clientId: string) => void;
}

/** One row per client ID; the charts of one of them are shown below. */
export function ClientTable({ clients, shownId, onShow }: ClientTableProps) {
  const columns = useMemo(
    (): VirtualColumn<KafkaClient>[] => [
      {
        key: 'id',
        header: 'Client ID',
        stack: 'title',
        track: 'minmax(12rem, 1fr)',
        compare: (left, right) => left.clientId.localeCompare(right.clientId),
        cell: ({ clientId }) => <span title={clientId}>{clientName(clientId)}</span>,
      },
      {
        key: 'kind',
        header: 'Kind',
        label: 'Kind',
        track: '11rem',
        compare: (left, right) => kindText(left).localeCompare(kindText(right)),
        cell: kindText,
      },
      {
        key: 'software',
        header: 'Software',
        label: 'Software',
        track: 'minmax(10rem, 0.8fr)',
        compare: (left, right) => softwareText(left).localeCompare(softwareText(right)),
        cell: (client) => <span title={softwareText(client)}>{softwareText(client)}</span>,
      },
      {
        key: 'instances',
        header: 'Instances',
        label: 'Instances',
        track: '6.5rem',
        numeric: true,
        compare: (left, right) => left.instances - right.instances,
        cell: ({ instances }) => formatCount(instances),
      },
      {
        key: 'pushed',
        header: 'Last push',
        label: 'Last push',
        track: '8rem',
        compare: (left, right) => left.lastPushedAtMs - right.lastPushedAtMs,
        cell: ({ lastPushedAtMs }) => <Ago timeMs={lastPushedAtMs} />,
      },
      {
        key: 'actions',
        header: 'Actions',
        hasHiddenHeader: true,
        stack: 'foot',
        track: '9rem',
        numeric: true,
        cell: ({ clientId }) => (
          <span>
            <Button
              size="sm"
              variant={clientId === shownId ? 'primary' : 'secondary'}
              aria-pressed={clientId === shownId}
              aria-label={`Show metrics of ${clientName(clientId)}`}
              onClick={() => onShow(clientId)}
            >
              Show metrics
            </Button>
          </span>
        ),
      },
    ],
    [shownId, onShow],
  );
  return (
    <VirtualTable<KafkaClient>
      label="Clients"
      rows={clients}
      columns={columns}
      rowKey={({ clientId }) => clientId}
      rowData={({ clientId }) => ({ 'data-client': clientId })}
      minWidth="52rem"
      rowHeightPx={48}
      overscanRows={20}
      className="max-h-[28rem] rounded-b-xl"
    />
  );
}

function kindText({ isProducer, isConsumer }: KafkaClient): string {
  if (isProducer && isConsumer) {
    return 'Producer, consumer';
  }
  return isProducer ? 'Producer' : isConsumer ? 'Consumer' : 'Other';
}

function softwareText({ software }: KafkaClient): string {
  const said = software.map(({ name, version }) => (version === '' ? name : `${name} ${version}`));
  return said.length === 0 ? 'Unknown' : said.join(', ');
}
