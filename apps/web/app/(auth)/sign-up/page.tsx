import type { Metadata } from 'next';
import { AuthPage, SignUpForm, TextLink } from '../../../features/auth';
import { getSession } from '../../../server/session';

export const metadata: Metadata = { title: 'Create account' };

export default async function Page() {
  const { isEmbedded } = await getSession();
  return (
    <AuthPage
      title="Create your account"
      lead="Create a cluster and start an agent in a few minutes. No card required."
      footer={
        <>
          Already have an account? <TextLink href="/sign-in">Sign in</TextLink>
        </>
      }
    >
      <SignUpForm mailboxPath={isEmbedded ? '/dev/mailbox' : undefined} />
    </AuthPage>
  );
}
