import { LogoMark } from '@penstock/ui';
import Link from 'next/link';

export function SiteFooter() {
  return (
    <footer className="border-line border-t">
      <div className="mx-auto flex max-w-6xl flex-wrap group-has-[[data-wide]]/site:max-w-[88rem] items-center justify-between gap-x-8 gap-y-4 px-4 py-8 text-[0.8125rem] text-ink-3 sm:px-8">
        <p className="flex items-center gap-2.5">
          <LogoMark className="size-5 text-ink" />
          Penstock: streaming on your own object storage
        </p>
        <nav aria-label="Footer" className="flex flex-wrap gap-x-5 gap-y-2">
          <Link href="/docs" className="rounded hover:text-ink">
            Docs
          </Link>
          <Link href="/pricing" className="rounded hover:text-ink">
            Pricing
          </Link>
          <Link href="/benchmarks" className="rounded hover:text-ink">
            Benchmarks
          </Link>
          <Link href="/sign-in" className="rounded hover:text-ink">
            Sign in
          </Link>
          <Link href="/sign-up" className="rounded hover:text-ink">
            Create account
          </Link>
        </nav>
        <p className="max-w-3xl basis-full text-2xs">
          Apache Kafka is a trademark of the Apache Software Foundation. Amazon S3 is a trademark of Amazon.com, Inc. or
          its affiliates. Penstock is not affiliated with either.
        </p>
      </div>
    </footer>
  );
}
