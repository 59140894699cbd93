'use client';

import { Badge, Button, CodeBlock, Notice } from '@penstock/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { SecretDialog, showOnce } from '../../lib/forms';
import { DateTime } from '../../lib/time';
import { FailureNotice, type RouterOutputs, useTRPC } from '../../lib/trpc';

type Token = RouterOutputs['sso']['scim']['tokens'][number];

const LIFETIME_DAYS = 365;
/** How long the old token works while its replacement is entered at the provider. */
const OVERLAP_HOURS = 24;

/** Where the provider sends its users and groups by SCIM, with which token, and how that goes. */
export function Provisioning() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const scim = useQuery(trpc.sso.scim.queryOptions());
  const refresh = () => queryClient.invalidateQueries(trpc.sso.scim.queryFilter());
  const [plaintext, setPlaintext] = useState<string | null>(null);
  const create = useMutation(
    trpc.sso.createScimToken.mutationOptions(showOnce((created) => setPlaintext(created.plaintext), refresh)),
  );
  const revoke = useMutation(trpc.sso.revokeScimToken.mutationOptions({ onSuccess: refresh }));
  const tokens = scim.data?.tokens ?? [];
  const error = scim.error ?? create.error ?? revoke.error;
  const verb = tokens.length === 0 ? 'Create' : 'Rotate';
  return (
    <div className="flex flex-col gap-3">
      <p className="text-[0.8125rem] text-ink-3 leading-5">
        Your provider can add members, update their roles by groups and end their access by SCIM 2.0. Someone who is
        deactivated there loses access immediately.
      </p>
      {scim.data === undefined ? null : <CodeBlock code={scim.data.endpointUrl} title="SCIM endpoint (tenant URL)" />}
      <ul className="flex flex-col gap-3">
        {tokens.map((token) => (
          <TokenItem
            key={token.id}
            token={token}
            pending={revoke.isPending}
            onRevoke={() => revoke.mutate({ tokenId: token.id })}
          />
        ))}
      </ul>
      {error === null ? null : <FailureNotice error={error} />}
      <div>
        <Button
          pending={create.isPending}
          onClick={() => create.mutate({ lifetimeDays: LIFETIME_DAYS, overlapHours: OVERLAP_HOURS })}
        >
          {create.isPending ? 'Creating…' : `${verb} SCIM token`}
        </Button>
      </div>
      <p className="text-[0.8125rem] text-ink-3 leading-5">
        A token works for a year. When you rotate it, the old one keeps working for a day.
      </p>
      <SecretDialog
        noun="SCIM token"
        plaintext={plaintext}
        whenLost="If you lose it, rotate the token."
        onClose={() => setPlaintext(null)}
      >
        <CodeBlock code={scim.data?.endpointUrl ?? ''} title="SCIM endpoint (tenant URL)" />
      </SecretDialog>
    </div>
  );
}

function TokenItem({ token, pending, onRevoke }: { token: Token; pending: boolean; onRevoke: () => void }) {
  const name = `${token.displayPrefix}…${token.displayLast4}`;
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-lg border border-line p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="flex min-w-0 items-center gap-2 font-mono text-ink text-sm">
          <span className="truncate">{name}</span>
          {token.lastUsedAt === null ? <Badge tone="neutral">Not used yet</Badge> : null}
        </p>
        <Button size="sm" variant="quiet" pending={pending} onClick={onRevoke} aria-label={`Revoke ${name}`}>
          Revoke
        </Button>
      </div>
      <dl className="grid gap-x-4 text-[0.8125rem] leading-5 sm:grid-cols-[12rem_1fr]">
        <dt className="text-ink-3">Expires</dt>
        <dd className="text-ink-2">
          <DateTime timeMs={token.expiresAt.getTime()} />
        </dd>
        {token.lastUsedAt === null ? null : (
          <>
            <dt className="text-ink-3">Last sync</dt>
            <dd className="text-ink-2">
              <DateTime timeMs={token.lastUsedAt.getTime()} />
            </dd>
          </>
        )}
      </dl>
      {token.lastErrorAt === null ? null : (
        <Notice tone="warn" title="A request was refused">
          <DateTime timeMs={token.lastErrorAt.getTime()} />: {token.lastError}
        </Notice>
      )}
    </li>
  );
}
