'use client';

import { Badge, Button, Card, EmptyState } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../../lib/session';
import { DataTable } from '../../../lib/table';
import { QueryState, useTRPC } from '../../../lib/trpc';
import { AllowRequestDialog } from './allow-request-dialog';
import type { DeniedRequests } from './denied-requests.types';

/** Agents report this often. */
const REPORT_MS = 10_000;

export function DeniedRequestsCard({ clusterId }: { clusterId: string }) {
  const trpc = useTRPC();
  const mayWrite = useMay()('access:write');
  const denied = useQuery({
    ...trpc.access.listDeniedRequests.queryOptions({ clusterId }),
    refetchInterval: REPORT_MS,
  });
  const [allowing, setAllowing] = useState<DeniedRequests | null>(null);
  return (
    <>
      <Card
        title="Denied requests of the last hour"
        description="Requests that ACLs denied or, in shadow mode, would have denied. Agents report the names of principals and resources."
        flush
      >
        <QueryState
          query={denied}
          label="Loading denied requests"
          empty={
            <EmptyState icon={<ShieldCheck />} title="No denied requests">
              Requests that no ACL allows appear here within seconds, with the ACL that would allow them.
            </EmptyState>
          }
        >
          {(list) => <DeniedTable denied={list} onAllow={mayWrite ? setAllowing : null} />}
        </QueryState>
      </Card>
      <AllowRequestDialog clusterId={clusterId} denied={allowing} onClose={() => setAllowing(null)} />
    </>
  );
}

interface DeniedTableProps {
  denied: readonly DeniedRequests[];
  onAllow: ((denied: DeniedRequests) => void) | null;
}

function DeniedTable({ denied, onAllow }: DeniedTableProps) {
  return (
    <DataTable
      label="Denied requests"
      noun="kind of request"
      plural="kinds of requests"
      address="denied"
      filterBy="principal or resource"
      rows={denied}
      rowKey={({ principal, operation, resourceType, resourceName }) =>
        [principal, operation, resourceType, resourceName].join('\n')
      }
      actions={(request) =>
        request.denyingAcl !== null ? (
          <span className="text-ink-3">Denied by an ACL of {request.denyingAcl.principal}</span>
        ) : onAllow === null ? null : (
          <Button
            size="sm"
            onClick={() => onAllow(request)}
            aria-label={`Allow ${request.principal}: ${request.operation} ${request.resourceType} ${request.resourceName}`}
          >
            Allow
          </Button>
        )
      }
      columns={[
        {
          key: 'principal',
          header: 'Principal',
          stack: 'title',
          className: 'break-all font-medium text-ink',
          value: ({ principal }) => principal,
          search: 'value',
        },
        {
          key: 'result',
          header: 'Result',
          stack: 'aside',
          value: ({ isEnforced }) => (isEnforced ? 'Refused' : 'Allowed (shadow)'),
          cell: ({ isEnforced }) => (
            <Badge tone={isEnforced ? 'danger' : 'warn'} dot>
              {isEnforced ? 'Refused' : 'Allowed (shadow)'}
            </Badge>
          ),
        },
        {
          key: 'operation',
          header: 'Operation',
          label: 'Operation',
          className: 'font-mono text-xs',
          value: ({ operation }) => operation,
        },
        {
          key: 'resource',
          header: 'Resource',
          label: 'Resource',
          className: 'break-all',
          value: ({ resourceType, resourceName }) => `${resourceType} ${resourceName}`,
          search: 'value',
          cell: ({ resourceType, resourceName }) => (
            <>
              <span className="font-mono text-xs">{resourceType}</span> {resourceName}
            </>
          ),
        },
        {
          key: 'client',
          header: 'Client',
          label: 'Client',
          className: 'break-all',
          value: ({ host, clientId }) => `${host}${clientId === '' ? '' : ` (${clientId})`}`,
          cell: ({ host, clientId }) => (
            <>
              {host}
              {clientId === '' ? null : <span className="text-ink-3"> ({clientId})</span>}
            </>
          ),
        },
        { key: 'requests', header: 'Requests', label: 'Requests', numeric: true, value: ({ count }) => count },
        { key: 'last', header: 'Last', label: 'Last', value: ({ lastAt }) => lastAt, isAgo: true },
      ]}
    />
  );
}
