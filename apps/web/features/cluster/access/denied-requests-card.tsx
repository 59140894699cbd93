'use client';

import { ActionsTh, Badge, Button, Card, EmptyState, Table, Td, Th, Tr } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../../lib/session';
import { Ago } from '../../../lib/time';
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
    <Table label="Denied requests" stacks>
      <thead>
        <tr>
          <Th>Principal</Th>
          <Th>Result</Th>
          <Th>Operation</Th>
          <Th>Resource</Th>
          <Th>Client</Th>
          <Th numeric>Requests</Th>
          <Th>Last</Th>
          <ActionsTh />
        </tr>
      </thead>
      <tbody>
        {denied.map((request) => (
          <Tr key={[request.principal, request.operation, request.resourceType, request.resourceName].join('\n')}>
            <Td className="break-all font-medium text-ink" stack="title">
              {request.principal}
            </Td>
            <Td stack="aside">
              <Badge tone={request.isEnforced ? 'danger' : 'warn'} dot>
                {request.isEnforced ? 'Refused' : 'Allowed (shadow)'}
              </Badge>
            </Td>
            <Td label="Operation" className="font-mono text-xs">
              {request.operation}
            </Td>
            <Td label="Resource" className="break-all">
              <span className="font-mono text-xs">{request.resourceType}</span> {request.resourceName}
            </Td>
            <Td label="Client" className="break-all">
              {request.host}
              {request.clientId === '' ? null : <span className="text-ink-3"> ({request.clientId})</span>}
            </Td>
            <Td label="Requests" numeric>
              {formatCount(request.count)}
            </Td>
            <Td label="Last">
              <Ago timeMs={request.lastAt.getTime()} />
            </Td>
            <Td className="text-right" stack="foot">
              {request.denyingAcl === null ? (
                onAllow === null ? null : (
                  <Button
                    size="sm"
                    onClick={() => onAllow(request)}
                    aria-label={`Allow ${request.principal}: ${request.operation} ${request.resourceType} ${request.resourceName}`}
                  >
                    Allow
                  </Button>
                )
              ) : (
                <span className="text-ink-3">Denied by an ACL of {request.denyingAcl.principal}</span>
              )}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
