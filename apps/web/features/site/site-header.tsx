import { Button, Logo, ThemeToggle } from '@penstock/ui';
import Link from 'next/link';
import { SITE_LINKS } from './site-links';
import { SiteMenu } from './site-menu';

/** The header of every public page. */
export function SiteHeader() {
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-bg print:static">
      <div className="mx-auto flex h-16 max-w-6xl items-center group-has-[[data-wide]]/site:max-w-[88rem] gap-2 px-4 sm:gap-6 sm:px-8">
        <Link href="/" className="flex rounded-md">
          <Logo />
        </Link>
        <nav aria-label="Site" className="hidden items-center gap-1 text-sm md:flex print:hidden">
          {SITE_LINKS.map(({ href, label }) => (
            <SiteLink key={href} href={href}>
              {label}
            </SiteLink>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1 sm:gap-2 print:hidden">
          <ThemeToggle />
          <Button asChild variant="quiet" size="sm" className="max-sm:hidden">
            <Link href="/sign-in">Sign in</Link>
          </Button>
          <Button asChild variant="primary" size="sm">
            <Link href="/sign-up">
              <span className="sm:hidden">Sign up</span>
              <span className="hidden sm:inline">Create account</span>
            </Link>
          </Button>
          <SiteMenu />
        </div>
      </div>
    </header>
  );
}

function SiteLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="rounded-md px-3 py-2 text-ink-2 transition-colors hover:bg-hover hover:text-ink">
      {children}
    </Link>
  );
}
