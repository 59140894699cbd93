import { Logo, ThemeToggle } from '@penstock/ui';
import Link from 'next/link';
import type { ReactNode } from 'react';

export interface AuthPageProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
}

/** The frame of every account page. */
export function AuthPage({ title, lead, children, footer }: AuthPageProps) {
  return (
    <div className="relative flex min-h-dvh flex-col">
      <div
        aria-hidden
        className="drafting-grid absolute inset-0 [mask-image:linear-gradient(to_bottom,black,transparent_70%)]"
      />
      <header className="relative flex items-center justify-between px-4 py-4 sm:px-8">
        <Link href="/" className="flex rounded-md">
          <Logo />
        </Link>
        <ThemeToggle />
      </header>
      <main
        id="main"
        className="relative mx-auto flex w-full max-w-[26rem] flex-1 flex-col justify-center px-4 pt-8 pb-24"
      >
        <div className="rounded-2xl border border-line bg-surface p-6 shadow-raised sm:p-8">
          <h1 className="font-semibold text-2xl text-ink tracking-tight">{title}</h1>
          {lead === undefined ? null : <div className="mt-2 text-ink-2 text-sm leading-6">{lead}</div>}
          <div className="mt-6">{children}</div>
        </div>
        {footer === undefined ? null : <div className="mt-5 text-center text-ink-2 text-sm">{footer}</div>}
      </main>
    </div>
  );
}

export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="rounded font-medium text-accent-ink underline-offset-4 hover:underline">
      {children}
    </Link>
  );
}
