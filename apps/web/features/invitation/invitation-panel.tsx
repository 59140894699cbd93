'use client';

import { Button, Notice, Skeleton } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { forgetLinkToken, takeLinkToken } from '../../lib/link-token';
import { ROLE_TEXTS } from '../../lib/roles';
import { ApiProvider, FailureNotice, type RouterOutputs, useTRPC } from '../../lib/trpc';
import { authClient } from '../auth';

/** The page behind an invitation's link. `signedInAs` is the user that the server saw when it rendered the page. */
export function InvitationPanel({ signedInAs }: { signedInAs: string | null }) {
  return (
    <ApiProvider>
      <Opened signedInAs={signedInAs} />
    </ApiProvider>
  );
}

function Opened({ signedInAs }: { signedInAs: string | null }) {
  const trpc = useTRPC();
  const [token, setToken] = useState<string | null | undefined>(undefined);
  // Removes the token from the mutation cache.
  const { mutate, data, error } = useMutation(trpc.invitation.preview.mutationOptions({ gcTime: 0 }));
  useEffect(() => {
    const found = takeLinkToken('invitation');
    setToken(found);
    if (found !== null) {
      mutate({ token: found });
    }
  }, [mutate]);
  if (token === null) {
    return (
      <Notice tone="warn" title="This link has no invitation">
        Open the full link from the invitation email. To accept an invitation to the role Viewer, you can also sign in
        and open{' '}
        <Link href="/app" className="font-medium text-accent-ink underline underline-offset-4">
          your dashboard
        </Link>
        .
      </Notice>
    );
  }
  if (error !== null) {
    return <FailureNotice error={error} />;
  }
  if (token === undefined || data === undefined) {
    return (
      <div role="status" aria-busy="true">
        <span className="sr-only">Loading the invitation</span>
        <Skeleton className="h-24 rounded-lg" />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <p className="text-ink-2 text-sm leading-6">
        <strong className="font-medium text-ink [overflow-wrap:anywhere]">{data.inviterEmail}</strong> invited{' '}
        <strong className="font-medium text-ink [overflow-wrap:anywhere]">{data.email}</strong> to{' '}
        <strong className="break-words font-medium text-ink">{data.organizationName}</strong>, with the role{' '}
        <strong className="font-medium text-ink">{ROLE_TEXTS[data.role].label}</strong>: {ROLE_TEXTS[data.role].meaning}
      </p>
      {signedInAs === null ? (
        <SignInFirst />
      ) : signedInAs.toLowerCase() === data.email ? (
        <AcceptButton token={token} />
      ) : (
        <SwitchAccount signedInAs={signedInAs} invitation={data} />
      )}
    </div>
  );
}

function SignInFirst() {
  return (
    <div className="flex flex-col gap-2">
      <Button asChild variant="primary">
        <Link href="/sign-in?next=/invitation">Sign in to accept</Link>
      </Button>
      <Button asChild>
        <Link href="/sign-up">Create an account</Link>
      </Button>
      <p className="text-ink-3 text-xs leading-5">
        Use the email address that was invited. Once you’ve set your password, open this link again.
      </p>
    </div>
  );
}

function AcceptButton({ token }: { token: string }) {
  const trpc = useTRPC();
  const accept = useMutation(
    trpc.invitation.accept.mutationOptions({
      onSuccess: ({ isTwoFactorDue }) => {
        forgetLinkToken('invitation');
        window.location.assign(isTwoFactorDue ? '/app/account' : '/app');
      },
      gcTime: 0,
    }),
  );
  return (
    <div className="flex flex-col gap-4">
      {accept.error === null ? null : <FailureNotice error={accept.error} />}
      <Button variant="primary" pending={accept.isPending} onClick={() => accept.mutate({ token })}>
        {accept.isPending ? 'Accepting…' : 'Accept invitation'}
      </Button>
    </div>
  );
}

function SwitchAccount({
  signedInAs,
  invitation,
}: {
  signedInAs: string;
  invitation: RouterOutputs['invitation']['preview'];
}) {
  const [hasFailed, setHasFailed] = useState(false);
  const signOut = async () => {
    const { error } = await authClient.signOut();
    setHasFailed(error !== null);
    if (error === null) {
      window.location.assign('/sign-in?next=/invitation');
    }
  };
  return (
    <Notice tone="warn" title={`You’re signed in as ${signedInAs}`}>
      <p>This invitation is for {invitation.email}.</p>
      {hasFailed ? <p>We couldn’t reach the server. Try again.</p> : null}
      <Button size="sm" className="mt-2" onClick={() => void signOut()}>
        Sign out and switch account
      </Button>
    </Notice>
  );
}
