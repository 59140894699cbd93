'use client';

import { Badge, Button } from '@penstock/ui';
import { formatDurationMs } from '@penstock/units';
import { type ReactNode, useMemo, useState } from 'react';
import { type Column, DataTable } from '../../../lib/table';
import { Ago, useNow } from '../../../lib/time';
import { RowToggle } from '../row-toggle';
import type { Transaction } from './transaction.types';
import { openText, partitionsByTopic, stateBadge } from './transaction-words';

interface TransactionTableProps {
  transactions: readonly Transaction[];
  /** Null for roles without the permission. */
  onAbort: ((transactionalId: string) => void) | null;
}

/** One row per transactional ID; one at a time shows the partitions and groups of its transaction. */
export function TransactionTable({ transactions, onAbort }: TransactionTableProps) {
  const nowMs = useNow();
  const [openId, setOpenId] = useState<string | null>(null);
  const columns = useMemo(
    (): Column<Transaction>[] => [
      {
        key: 'id',
        header: 'Transactional ID',
        stack: 'title',
        track: 'minmax(12rem, 1fr)',
        value: (row) => row.transactionalId,
        search: 'value',
        cell: ({ transactionalId }) => (
          <RowToggle
            name={transactionalId}
            isOpen={openId === transactionalId}
            panelId={panelIdOf(transactionalId)}
            onToggle={() => setOpenId((before) => (before === transactionalId ? null : transactionalId))}
          />
        ),
      },
      {
        key: 'state',
        header: 'State',
        stack: 'aside',
        track: '8rem',
        value: (row) => row.state,
        cell: (transaction) => {
          const { tone, label } = stateBadge(transaction, nowMs);
          return (
            <Badge tone={tone} dot>
              {label}
            </Badge>
          );
        },
      },
      {
        key: 'open',
        header: 'Open for',
        label: 'Open for',
        track: '7rem',
        numeric: true,
        value: (row) => (row.startedAtMs === null ? null : openText(row.startedAtMs, nowMs)),
        rank: (row) => (row.startedAtMs === null ? null : nowMs - row.startedAtMs),
        cell: ({ startedAtMs }) => openText(startedAtMs, nowMs),
      },
      {
        key: 'timeout',
        header: 'Timeout',
        label: 'Timeout',
        track: '6.5rem',
        numeric: true,
        value: (row) => row.timeoutMs,
        cell: ({ timeoutMs }) => formatDurationMs(timeoutMs),
      },
      {
        key: 'partitions',
        header: 'Partitions',
        label: 'Partitions',
        track: '6.5rem',
        numeric: true,
        value: (row) => row.partitions.length,
      },
      {
        key: 'client',
        header: 'Client',
        label: 'Client',
        track: 'minmax(7rem, 0.6fr)',
        value: (row) => row.clientId,
        cell: ({ clientId }) => <span title={clientId}>{clientId === '' ? '–' : clientId}</span>,
      },
    ],
    [openId, nowMs],
  );
  return (
    <DataTable<Transaction>
      label="Transactions"
      noun="producer"
      address=""
      filterBy="transactional ID"
      rows={transactions}
      actions={({ transactionalId, startedAtMs }) =>
        onAbort === null || startedAtMs === null ? null : (
          <span>
            <Button
              size="sm"
              onClick={() => onAbort(transactionalId)}
              aria-label={`Abort the transaction of ${transactionalId}`}
            >
              Abort…
            </Button>
          </span>
        )
      }
      actionsPlace={{ track: '7rem' }}
      columns={columns}
      rowKey={({ transactionalId }) => transactionalId}
      rowData={({ transactionalId }) => ({ 'data-transaction': transactionalId })}
      details={(transaction) =>
        openId === transaction.transactionalId ? <TransactionDetails transaction={transaction} /> : null
      }
      inView={{ minWidth: '56rem', className: 'max-h-[44rem] rounded-b-xl', rowHeightPx: 48, overscanRows: 20 }}
    />
  );
}

function panelIdOf(transactionalId: string): string {
  return `transaction-${encodeURIComponent(transactionalId)}`;
}

function TransactionDetails({ transaction }: { transaction: Transaction }) {
  const { transactionalId, producerId, producerEpoch, agentId, updatedAtMs, startedAtMs, partitions, groupIds } =
    transaction;
  const facts: readonly [string, ReactNode][] = [
    ['Producer ID', String(producerId)],
    ['Epoch', String(producerEpoch)],
    ['Last change', <Ago key="ago" timeMs={updatedAtMs} />],
    ['Agent', agentId === '' ? 'Unknown' : agentId],
  ];
  return (
    <div id={panelIdOf(transactionalId)} className="flex flex-col gap-3 text-[0.8125rem]">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-4">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-ink-3 text-xs">{name}</dt>
            <dd className="nums break-all text-ink">{value}</dd>
          </div>
        ))}
      </dl>
      {startedAtMs === null ? (
        <p className="text-ink-3">No transaction is open.</p>
      ) : (
        <>
          {partitions.length === 0 ? (
            <p className="text-ink-3">The transaction has no partitions yet.</p>
          ) : (
            <div>
              <h3 className="mb-1 font-medium text-ink">Partitions in the transaction</h3>
              <ul className="flex flex-col gap-0.5">
                {partitionsByTopic(partitions).map(({ topic, partitions: numbers }) => (
                  <li key={topic} className="break-words text-ink-2">
                    <span className="font-mono text-xs">{topic}</span>: {numbers}
                  </li>
                ))}
              </ul>
            </div>
          )}
          {groupIds.length === 0 ? null : (
            <p className="break-words text-ink-2">
              <span className="font-medium text-ink">Commits offsets of</span> {groupIds.join(', ')}
            </p>
          )}
        </>
      )}
    </div>
  );
}
