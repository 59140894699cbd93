import type { Metadata } from 'next';
import { AuthPage, SignUpForm, TextLink } from '../../../features/auth';

export const metadata: Metadata = { title: 'Create account' };

export default function Page() {
  return (
    <AuthPage
      title="Create your account"
      lead="Then create a cluster and start an agent: it takes a few minutes, and no card."
      footer={
        <>
          Have an account? <TextLink href="/sign-in">Sign in</TextLink>
        </>
      }
    >
      <SignUpForm />
    </AuthPage>
  );
}
