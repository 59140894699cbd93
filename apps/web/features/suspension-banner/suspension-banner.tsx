'use client';

import { Button, Notice } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '../../lib/trpc';

const REFRESH_MS = 30_000;

/** Shown to every member on every page while we have suspended the organization. */
export function SuspensionBanner() {
  const trpc = useTRPC();
  const organization = useQuery({ ...trpc.organization.get.queryOptions(), refetchInterval: REFRESH_MS });
  const suspension = organization.data?.suspension ?? null;
  if (suspension === null) {
    return null;
  }
  return (
    <div className="mx-auto w-full max-w-7xl px-4 pt-4 sm:px-6 print:hidden">
      <Notice
        tone="danger"
        title="This organization is suspended"
        action={
          <Button asChild size="sm">
            <Link href="/docs/organization#suspension">What this means</Link>
          </Button>
        }
      >
        {suspension.reason}{' '}
        {suspension.readsAllowed
          ? 'Producers can’t write. Consumers can still read, and nothing is deleted.'
          : 'Producers can’t write and consumers can’t read. Nothing is deleted.'}
      </Notice>
    </div>
  );
}
