import type { Metadata } from 'next';
import { AuthPage, SsoForm, safeNextPath, TextLink } from '../../../../features/auth';

export const metadata: Metadata = { title: 'Single sign-on' };

interface Search {
  next?: string | string[];
  refused?: string | string[];
}

export default async function Page({ searchParams }: { searchParams: Promise<Search> }) {
  const { next, refused } = await searchParams;
  return (
    <AuthPage
      title="Single sign-on"
      lead="Sign in through your organization’s identity provider."
      footer={
        <>
          No single sign-on? <TextLink href="/sign-in">Sign in with your password</TextLink>
        </>
      }
    >
      <SsoForm
        nextPath={safeNextPath(typeof next === 'string' ? next : undefined)}
        refusedCode={typeof refused === 'string' ? refused : undefined}
      />
    </AuthPage>
  );
}
