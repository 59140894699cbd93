import { Button, Notice } from '@penstock/ui';
import type { Metadata } from 'next';
import Link from 'next/link';
import { AuthPage, ResetPasswordForm, TextLink } from '../../../features/auth';

export const metadata: Metadata = { title: 'Set a new password', referrer: 'no-referrer' };

export default async function Page({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }) {
  const { token } = await searchParams;
  return (
    <AuthPage title="Set a new password" footer={<TextLink href="/sign-in">Back to sign in</TextLink>}>
      {typeof token === 'string' ? (
        <ResetPasswordForm token={token} />
      ) : (
        <div className="flex flex-col gap-4">
          <Notice tone="danger" title="This link has expired or has already been used">
            A reset link works once and expires after one hour.
          </Notice>
          <Button asChild variant="primary">
            <Link href="/forgot-password">Request a new link</Link>
          </Button>
        </div>
      )}
    </AuthPage>
  );
}
