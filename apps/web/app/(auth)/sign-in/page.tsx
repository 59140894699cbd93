import type { Metadata } from 'next';
import { AuthPage, SignInForm, safeNextPath, TextLink } from '../../../features/auth';

export const metadata: Metadata = { title: 'Sign in' };

export default async function Page({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const { next } = await searchParams;
  return (
    <AuthPage
      title="Sign in"
      footer={
        <>
          New here? <TextLink href="/sign-up">Create an account</TextLink>
        </>
      }
    >
      <SignInForm nextPath={safeNextPath(typeof next === 'string' ? next : undefined)} />
    </AuthPage>
  );
}
