import type { Metadata } from 'next';
import { AuthPage, TextLink, VerifyEmailPanel } from '../../../features/auth';
import { getSession } from '../../../server/session';

export const metadata: Metadata = { title: 'Verify your email address' };

interface Query {
  email?: string | string[];
  status?: string | string[];
  error?: string | string[];
}

export default async function Page({ searchParams }: { searchParams: Promise<Query> }) {
  const { email, status, error } = await searchParams;
  const { isEmbedded } = await getSession();
  const state = error !== undefined ? 'invalid' : status === 'verified' ? 'verified' : 'sent';
  return (
    <AuthPage
      title={state === 'verified' ? 'You’re all set' : 'Verify your email address'}
      footer={<TextLink href="/sign-in">Sign in</TextLink>}
    >
      <VerifyEmailPanel
        state={state}
        email={typeof email === 'string' ? email : undefined}
        mailboxPath={isEmbedded ? '/dev/mailbox' : undefined}
      />
    </AuthPage>
  );
}
