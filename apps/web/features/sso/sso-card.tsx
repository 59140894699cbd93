'use client';

import { Button, Card, CodeBlock, Field, Select, SkeletonRows } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useSession } from '../../lib/session';
import { DateTime } from '../../lib/time';
import { FailureNotice, type RouterOutputs, useTRPC } from '../../lib/trpc';
import { ConnectionForm } from './connection-form';
import { ConnectionTest } from './connection-test';
import { DomainList } from './domain-list';
import { Provisioning } from './provisioning';

type Sso = RouterOutputs['sso']['get'];
type SamlView = NonNullable<NonNullable<Sso['connection']>['saml']>;

const PROTOCOLS = [
  { value: 'oidc', label: 'OpenID Connect' },
  { value: 'saml', label: 'SAML 2.0' },
];

/** Settings for single sign-on through the organization's own provider. */
export function SsoCard() {
  const trpc = useTRPC();
  const { organization } = useSession();
  const queryClient = useQueryClient();
  const sso = useQuery(trpc.sso.get.queryOptions());
  const refresh = useCallback(() => queryClient.invalidateQueries(trpc.sso.get.queryFilter()), [queryClient, trpc]);
  const [chosen, setChosen] = useState<'oidc' | 'saml' | null>(null);
  const protocol = chosen ?? sso.data?.connection?.protocol ?? 'oidc';
  const remove = useMutation(trpc.sso.remove.mutationOptions({ onSuccess: refresh }));
  return (
    <Card
      title="Single sign-on"
      description="Let members sign in through your OpenID Connect or SAML provider, such as Okta, Entra ID, Google or Keycloak. People who sign in for the first time become members. A single sign-on session gives access to this organization only."
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
          <section className="flex flex-col gap-3">
            <h3 className="font-medium text-ink text-sm">1. Register Penstock with your provider</h3>
            <Field label="Protocol">
              {(control) => (
                <Select
                  {...control}
                  value={protocol}
                  options={PROTOCOLS}
                  onValueChange={(text) => setChosen(text === 'saml' ? 'saml' : 'oidc')}
                />
              )}
            </Field>
            <Registration protocol={protocol} sso={sso.data} />
          </section>
          <section className="flex flex-col gap-3">
            <h3 className="font-medium text-ink text-sm">2. Connect your provider</h3>
            {protocol === 'saml' && sso.data.connection?.saml != null ? (
              <SamlProvider issuer={sso.data.connection.issuer} saml={sso.data.connection.saml} />
            ) : null}
            <ConnectionForm
              key={`${protocol} ${sso.data.connection?.updatedAt.getTime() ?? 0}`}
              connection={sso.data.connection}
              protocol={protocol}
              onSaved={refresh}
            />
          </section>
          <section className="flex flex-col gap-3">
            <h3 className="font-medium text-ink text-sm">3. Verify your email domains</h3>
            <DomainList domains={sso.data.domains} onChanged={refresh} />
          </section>
          {sso.data.connection === null || organization === null ? null : (
            <section className="flex flex-col gap-3">
              <h3 className="font-medium text-ink text-sm">4. Test the connection</h3>
              <ConnectionTest
                organizationId={organization.organizationId}
                test={sso.data.connection.test}
                onTested={refresh}
              />
            </section>
          )}
          <section className="flex flex-col gap-3">
            <h3 className="font-medium text-ink text-sm">Provision members</h3>
            <Provisioning />
          </section>
        </div>
      )}
    </Card>
  );
}

/** The values to enter at the provider. */
function Registration({ protocol, sso }: { protocol: 'oidc' | 'saml'; sso: Sso }) {
  if (protocol === 'oidc') {
    return (
      <>
        <p className="text-[0.8125rem] text-ink-3 leading-5">
          Create a web application that uses the authorization code flow and a client secret. Use this redirect URI:
        </p>
        <CodeBlock code={sso.callbackUrl} title="Redirect URI" />
      </>
    );
  }
  return (
    <>
      <p className="text-[0.8125rem] text-ink-3 leading-5">
        Create a SAML application that signs assertions with SHA-256 and doesn’t encrypt them. The entity ID is also the
        URL of our metadata.
      </p>
      <CodeBlock code={sso.samlEntityId} title="Entity ID (audience)" />
      <CodeBlock code={sso.samlConsumerUrl} title="Assertion consumer service URL" />
    </>
  );
}

function SamlProvider({ issuer, saml }: { issuer: string; saml: SamlView }) {
  return (
    <dl className="grid gap-x-4 text-[0.8125rem] leading-5 sm:grid-cols-[12rem_1fr]">
      <dt className="text-ink-3">Entity ID of the provider</dt>
      <dd className="min-w-0 break-words text-ink-2">{issuer}</dd>
      <dt className="text-ink-3">Sign-on URL</dt>
      <dd className="min-w-0 break-words text-ink-2">{saml.signOnUrl}</dd>
      {saml.certificates.map(({ fingerprint, expiresAt }) => (
        <div key={fingerprint} className="contents">
          <dt className="text-ink-3">
            Certificate until <DateTime timeMs={expiresAt.getTime()} />
          </dt>
          <dd className="min-w-0 break-words font-mono text-ink-2">{fingerprint}</dd>
        </div>
      ))}
    </dl>
  );
}
