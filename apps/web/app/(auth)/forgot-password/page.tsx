import type { Metadata } from 'next';
import { AuthPage, ForgotPasswordForm, TextLink } from '../../../features/auth';

export const metadata: Metadata = { title: 'Forgot password' };

export default function Page() {
  return (
    <AuthPage
      title="Reset your password"
      lead="Enter your account’s email address. We’ll send you a link to set a new password."
      footer={<TextLink href="/sign-in">Back to sign in</TextLink>}
    >
      <ForgotPasswordForm />
    </AuthPage>
  );
}
