import type { Metadata } from 'next';
import { AuthPage, ResetLinkNotUsable, ResetPasswordForm, TextLink } from '../../../features/auth';

export const metadata: Metadata = { title: 'Set a new password', referrer: 'no-referrer' };

export default async function Page({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }) {
  const { token } = await searchParams;
  return (
    <AuthPage title="Set a new password" footer={<TextLink href="/sign-in">Back to sign in</TextLink>}>
      {typeof token === 'string' ? <ResetPasswordForm token={token} /> : <ResetLinkNotUsable />}
    </AuthPage>
  );
}
