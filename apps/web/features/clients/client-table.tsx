'use client';

import { Button } from '@penstock/ui';
import { type Column, DataTable } from '../../lib/table';
import type { RouterOutputs } from '../../lib/trpc';

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
  return (
    <DataTable<KafkaClient>
      label="Clients"
      noun="client ID"
      address=""
      filterBy="client ID"
      rows={clients}
      actions={({ clientId }) => (
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
      )}
      actionsPlace={{ track: '9rem' }}
      columns={COLUMNS}
      rowKey={({ clientId }) => clientId}
      rowData={({ clientId }) => ({ 'data-client': clientId })}
      inView={{ minWidth: '52rem', className: 'max-h-[28rem] rounded-b-xl', rowHeightPx: 48, overscanRows: 20 }}
    />
  );
}

const COLUMNS: readonly Column<KafkaClient>[] = [
  {
    key: 'id',
    header: 'Client ID',
    stack: 'title',
    track: 'minmax(12rem, 1fr)',
    value: (row) => row.clientId,
    search: 'value',
    cell: ({ clientId }) => <span title={clientId}>{clientName(clientId)}</span>,
  },
  {
    key: 'kind',
    header: 'Kind',
    label: 'Kind',
    track: '11rem',
    value: kindText,
  },
  {
    key: 'software',
    header: 'Software',
    label: 'Software',
    track: 'minmax(10rem, 0.8fr)',
    value: softwareText,
    cell: (client) => <span title={softwareText(client)}>{softwareText(client)}</span>,
  },
  {
    key: 'instances',
    header: 'Instances',
    label: 'Instances',
    track: '6.5rem',
    numeric: true,
    value: (row) => row.instances,
  },
  {
    key: 'pushed',
    header: 'Last push',
    label: 'Last push',
    track: '8rem',
    value: (row) => new Date(row.lastPushedAtMs),
    isAgo: true,
  },
];

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
