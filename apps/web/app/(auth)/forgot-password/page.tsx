import type { Metadata } from 'next';
import { AuthPage, ForgotPasswordForm, TextLink } from '../../../features/auth';

export const metadata: Metadata = { title: 'Forgot password' };

export default function Page() {
  return (
    <AuthPage
      title="Reset your password"
      lead="Enter the address of your account. We send a link with which you can set a new password."
      footer={<TextLink href="/sign-in">Back to sign in</TextLink>}
    >
      <ForgotPasswordForm />
    </AuthPage>
  );
}
