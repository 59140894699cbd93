'use client';

import { rolesWithinReach } from '@penstock/tenancy/permissions';
import { Button, Card, EmptyState } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { useMay, useSession } from '../../lib/session';
import { QueryState, useTRPC } from '../../lib/trpc';
import { PageHeader } from '../shell';
import type { ApiKey } from './api-key.types';
import { ApiKeyTable } from './api-key-table';
import { CreateApiKeyDialog } from './create-api-key-dialog';
import { NewApiKeyDialog } from './new-api-key-dialog';
import { RevokeApiKeyDialog } from './revoke-api-key-dialog';
import { RotateApiKeyDialog } from './rotate-api-key-dialog';

/** The organization's keys for the public API. */
export function ApiKeysPage() {
  const { organization } = useSession();
  const may = useMay();
  const trpc = useTRPC();
  const mayRead = may('api-key:read');
  const keys = useQuery({ ...trpc.apiKey.list.queryOptions(), enabled: mayRead });
  const [isCreating, setIsCreating] = useState(false);
  const [newKey, setNewKey] = useState<string | null>(null);
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  if (organization === null) {
    return null;
  }
  const reach = rolesWithinReach(organization.role);
  const createButton = (
    <Button variant="primary" onClick={() => setIsCreating(true)}>
      <Plus aria-hidden />
      Create API key
    </Button>
  );
  const mayCreate = may('api-key:write');
  const hasKeys = keys.data !== undefined && keys.data.length > 0;
  return (
    <>
      <PageHeader
        title="API keys"
        description={
          <>
            Programs use API keys to call the{' '}
            <Link href="/docs/api" className="font-medium text-accent-ink underline underline-offset-4">
              public API
            </Link>
            . Each key has a role in this organization. We store only hashes of keys.
          </>
        }
        {...(mayCreate && hasKeys ? { actions: createButton } : {})}
      />
      <Card flush>
        {!mayRead ? (
          <EmptyState icon={<KeyRound />} title="Owners and admins manage API keys">
            Ask one of them to create a key with the role your program needs.
          </EmptyState>
        ) : (
          <QueryState
            query={keys}
            label="Loading API keys"
            empty={
              <EmptyState icon={<KeyRound />} title="No API keys yet" action={mayCreate ? createButton : undefined}>
                Create one key per program so that you can rotate or revoke each one separately.
              </EmptyState>
            }
          >
            {(list) => <ApiKeyTable keys={list} reach={reach} onRotate={setRotating} onRevoke={setRevoking} />}
          </QueryState>
        )}
      </Card>
      <CreateApiKeyDialog
        open={isCreating}
        onClose={() => setIsCreating(false)}
        choices={reach}
        onCreated={(plaintext) => {
          setIsCreating(false);
          setNewKey(plaintext);
        }}
      />
      <RotateApiKeyDialog
        apiKey={rotating}
        onClose={() => setRotating(null)}
        onRotated={(plaintext) => {
          setRotating(null);
          setNewKey(plaintext);
        }}
      />
      <RevokeApiKeyDialog apiKey={revoking} onClose={() => setRevoking(null)} />
      <NewApiKeyDialog plaintext={newKey} onClose={() => setNewKey(null)} />
    </>
  );
}
