'use client';

import { ActionsTh, Badge, Button, Card, EmptyState, Table, Td, Th, Tr, useToast } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ListChecks, Plus } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../../lib/session';
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
      <CreateAclsDialog clusterId={clusterId} open={isCreating} onOpenChange={setIsCreating} />
    </>
  );
}

/** Matches this ACL only. */
function exactFilter(clusterId: string, acl: Acl): Acl & { clusterId: string } {
  return { clusterId, ...acl };
}

function AclTable({ acls, onDelete }: { acls: readonly Acl[]; onDelete: ((acl: Acl) => void) | null }) {
  return (
    <Table label="ACLs" stacks>
      <thead>
        <tr>
          <Th>Principal</Th>
          <Th>Permission</Th>
          <Th>Operation</Th>
          <Th>Resource</Th>
          <Th>Host</Th>
          <ActionsTh />
        </tr>
      </thead>
      <tbody>
        {acls.map((acl) => (
          <Tr key={Object.values(acl).join('\n')}>
            <Td className="break-all font-medium text-ink" stack="title">
              {acl.principal}
            </Td>
            <Td stack="aside">
              <Badge tone={acl.permission === 'ALLOW' ? 'ok' : 'danger'} dot>
                {acl.permission === 'ALLOW' ? 'Allow' : 'Deny'}
              </Badge>
            </Td>
            <Td label="Operation" className="font-mono text-xs">
              {acl.operation}
            </Td>
            <Td label="Resource" className="break-all">
              <span className="font-mono text-xs">{acl.resourceType}</span> {acl.resourceName}
              {acl.patternType === 'PREFIXED' ? <span className="text-ink-3"> (prefix)</span> : null}
            </Td>
            <Td label="Host">{acl.host}</Td>
            <Td className="text-right" stack="foot">
              {onDelete === null ? null : (
                <Button
                  size="sm"
                  variant="quiet"
                  onClick={() => onDelete(acl)}
                  aria-label={`Delete ACL of ${acl.principal}: ${acl.operation} ${acl.resourceType} ${acl.resourceName}`}
                >
                  Delete
                </Button>
              )}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
