import { Button, Logo } from '@penstock/ui';
import Link from 'next/link';
import type { ReactNode } from 'react';

export interface StatusPageProps {
  code: string;
  title: string;
  text: string;
  action?: ReactNode;
}

/** A full-page message: not found, or failed. */
export function StatusPage({ code, title, text, action }: StatusPageProps) {
  return (
    <div className="drafting-grid flex min-h-dvh flex-col">
      <header className="px-5 py-4 sm:px-8">
        <Link href="/" className="inline-block rounded-md">
          <Logo />
        </Link>
      </header>
      <main id="main" className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center px-5 pb-32">
        <p className="font-mono text-accent-ink text-sm">{code}</p>
        <h1 className="mt-2 font-semibold text-3xl text-ink tracking-tight">{title}</h1>
        <p className="mt-3 text-ink-2 leading-7">{text}</p>
        <div className="mt-6 flex flex-wrap gap-2">
          {action}
          <Button asChild>
            <Link href="/app">Go to the dashboard</Link>
          </Button>
          <Button asChild>
            <Link href="/docs">Read the quick start</Link>
          </Button>
        </div>
      </main>
    </div>
  );
}
