'use client';

import { Badge, Button, Card, EmptyState, useToast } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ListChecks, Plus } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../../lib/session';
import { DataTable } from '../../../lib/table';
import { FailureNotice, QueryState, useTRPC } from '../../../lib/trpc';
import type { Acl } from './acl-presets';
import { CreateAclsDialog } from './create-acls-dialog';

export function AclsCard({ clusterId }: { clusterId: string }) {
  const trpc = useTRPC();
  const toast = useToast();
  const queryClient = useQueryClient();
  const mayWrite = useMay()('access:write');
  const acls = useQuery(trpc.access.listAcls.queryOptions({ clusterId }));
  const [isCreating, setIsCreating] = useState(false);
  const remove = useMutation(
    trpc.access.deleteAcls.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.access.listAcls.queryFilter({ clusterId }));
        toast({ title: 'ACL deleted' });
      },
    }),
  );
  const createButton = (
    <Button variant="primary" size="sm" onClick={() => setIsCreating(true)}>
      <Plus aria-hidden />
      Add ACLs
    </Button>
  );
  return (
    <>
      <Card
        title="ACLs"
        description="What users may do. Kafka’s own tools, such as kafka-acls, and admin clients can change them, too."
        {...(!mayWrite || acls.data === undefined || acls.data.length === 0 ? {} : { actions: createButton })}
        flush
      >
        {remove.error === null ? null : (
          <div className="p-4">
            <FailureNotice error={remove.error} />
          </div>
        )}
        <QueryState
          query={acls}
          label="Loading ACLs"
          empty={
            <EmptyState icon={<ListChecks />} title="No ACLs yet" action={mayWrite ? createButton : undefined}>
              Add the ACLs that your producers and consumers need, test them in shadow mode, then enforce them.
            </EmptyState>
          }
        >
          {(list) => (
            <AclTable acls={list} onDelete={mayWrite ? (acl) => remove.mutate(exactFilter(clusterId, acl)) : null} />
          )}
        </QueryState>
      </Card>
      <CreateAclsDialog clusterId={clusterId} open={isCreating} onClose={() => setIsCreating(false)} />
    </>
  );
}

/** Matches this ACL only. */
function exactFilter(clusterId: string, acl: Acl): Acl & { clusterId: string } {
  return { clusterId, ...acl };
}

function AclTable({ acls, onDelete }: { acls: readonly Acl[]; onDelete: ((acl: Acl) => void) | null }) {
  return (
    <DataTable
      label="ACLs"
      noun="ACL"
      address="acls"
      filterBy="principal or resource"
      rows={acls}
      rowKey={(acl) => Object.values(acl).join('\n')}
      actions={(acl) =>
        onDelete === null ? null : (
          <Button
            size="sm"
            variant="quiet"
            onClick={() => onDelete(acl)}
            aria-label={`Delete ACL of ${acl.principal}: ${acl.operation} ${acl.resourceType} ${acl.resourceName}`}
          >
            Delete
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
          key: 'permission',
          header: 'Permission',
          stack: 'aside',
          value: ({ permission }) => (permission === 'ALLOW' ? 'Allow' : 'Deny'),
          cell: ({ permission }) => (
            <Badge tone={permission === 'ALLOW' ? 'ok' : 'danger'} dot>
              {permission === 'ALLOW' ? 'Allow' : 'Deny'}
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
          value: ({ resourceType, resourceName, patternType }) =>
            `${resourceType} ${resourceName}${patternType === 'PREFIXED' ? ' (prefix)' : ''}`,
          search: 'value',
          cell: ({ resourceType, resourceName, patternType }) => (
            <>
              <span className="font-mono text-xs">{resourceType}</span> {resourceName}
              {patternType === 'PREFIXED' ? <span className="text-ink-3"> (prefix)</span> : null}
            </>
          ),
        },
        { key: 'host', header: 'Host', label: 'Host', value: ({ host }) => host },
      ]}
    />
  );
}
