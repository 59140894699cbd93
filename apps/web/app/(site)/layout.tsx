import type { ReactNode } from 'react';
import { SiteFooter, SiteHeader } from '../../features/site';

export default function SiteLayout({ children }: { children: ReactNode }) {
  return (
    <div className="group/site flex min-h-dvh flex-col">
      <SiteHeader />
      <main id="main" className="flex-1">
        {children}
      </main>
      <SiteFooter />
    </div>
  );
}
