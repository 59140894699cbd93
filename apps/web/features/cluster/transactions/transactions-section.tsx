'use client';

import { Card, EmptyState } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeftRight } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../../lib/session';
import { QueryState, useTRPC } from '../../../lib/trpc';
import { IntentLink } from '../../shell';
import { AbortTransactionDialog } from './abort-transaction-dialog';
import { TransactionTable } from './transaction-table';

const POLL_MS = 5_000;

/** Transactional producers of the cluster, those with an open transaction first. */
export function TransactionsSection({ clusterId }: { clusterId: string }) {
  const mayAbort = useMay()('topic:write');
  const transactions = useQuery({
    ...useTRPC().transaction.list.queryOptions({ clusterId }),
    refetchInterval: POLL_MS,
  });
  const [aborting, setAborting] = useState<string | null>(null);
  return (
    <>
      <Card
        title="Transactions"
        description="Transactional producers, with open transactions first. Consumers that read only committed records wait at the first record of an open transaction."
        flush
      >
        <QueryState
          query={transactions}
          label="Loading transactions"
          empty={
            <EmptyState icon={<ArrowLeftRight />} title="No transactional producers yet">
              A producer appears here when it initializes a{' '}
              <code className="font-mono text-[0.8125rem]">transactional.id</code>.{' '}
              <IntentLink
                href="/docs/kafka#transactions"
                className="font-medium text-accent-ink underline underline-offset-4"
              >
                How transactions work
              </IntentLink>
            </EmptyState>
          }
        >
          {(list) => <TransactionTable transactions={list} onAbort={mayAbort ? setAborting : null} />}
        </QueryState>
      </Card>
      <AbortTransactionDialog
        clusterId={clusterId}
        transaction={transactions.data?.find(({ transactionalId }) => transactionalId === aborting) ?? null}
        onClose={() => setAborting(null)}
      />
    </>
  );
}
