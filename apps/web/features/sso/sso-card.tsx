'use client';

import { Button, Card, CodeBlock, SkeletonRows } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { FailureNotice, useTRPC } from '../../lib/trpc';
import { ConnectionForm } from './connection-form';
import { ConnectionTest } from './connection-test';
import { DomainList } from './domain-list';

/** Settings for single sign-on through the organization's own OpenID provider. */
export function SsoCard() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const sso = useQuery(trpc.sso.get.queryOptions());
  const refresh = useCallback(() => queryClient.invalidateQueries(trpc.sso.get.queryFilter()), [queryClient, trpc]);
  const remove = useMutation(trpc.sso.remove.mutationOptions({ onSuccess: refresh }));
  return (
    <Card
      title="Single sign-on"
      description="Let members sign in through your OpenID Connect provider, such as Okta, Entra ID, Google or Keycloak. People who sign in for the first time become members. A single sign-on session gives access to this organization only."
      actions={
        sso.data?.connection == null ? null : (
          <Button size="sm" pending={remove.isPending} onClick={() => remove.mutate()}>
            {remove.isPending ? 'Turning off…' : 'Turn off'}
          </Button>
        )
      }
    >
      {sso.data === undefined ? (
        sso.error === null ? (
          <SkeletonRows rows={4} label="Loading single sign-on" />
        ) : (
          <FailureNotice error={sso.error} onRetry={() => void sso.refetch()} />
        )
      ) : (
        <div className="flex flex-col gap-6">
          {remove.error === null ? null : <FailureNotice error={remove.error} />}
          <section className="flex flex-col gap-2">
            <h3 className="font-medium text-ink text-sm">1. Register Penstock with your provider</h3>
            <p className="text-[0.8125rem] text-ink-3 leading-5">
              Create a web application that uses the authorization code flow and a client secret. Use this redirect URI:
            </p>
            <CodeBlock code={sso.data.callbackUrl} title="Redirect URI" />
          </section>
          <section className="flex flex-col gap-3">
            <h3 className="font-medium text-ink text-sm">2. Connect your provider</h3>
            <ConnectionForm
              key={sso.data.connection?.updatedAt.getTime() ?? 0}
              connection={sso.data.connection}
              onSaved={refresh}
            />
          </section>
          <section className="flex flex-col gap-3">
            <h3 className="font-medium text-ink text-sm">3. Verify your email domains</h3>
            <DomainList domains={sso.data.domains} onChanged={refresh} />
          </section>
          {sso.data.connection === null ? null : (
            <section className="flex flex-col gap-3">
              <h3 className="font-medium text-ink text-sm">4. Test the connection</h3>
              <ConnectionTest test={sso.data.connection.test} onTested={refresh} />
            </section>
          )}
        </div>
      )}
    </Card>
  );
}
