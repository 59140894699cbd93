import type { Metadata } from 'next';
import { AuthPage, FinishSignUpForm, TextLink } from '../../../../features/auth';

export const metadata: Metadata = { title: 'Set your password', referrer: 'no-referrer', robots: { index: false } };

export default function Page() {
  return (
    <AuthPage title="Set your password" footer={<TextLink href="/sign-in">Sign in</TextLink>}>
      <FinishSignUpForm />
    </AuthPage>
  );
}
