'use client';

import { Card } from '@penstock/ui';
import Link from 'next/link';
import { useSession } from '../../lib/session';

/** Organizations that this session cannot open because they require their own identity provider. */
export function BehindSso() {
  const { closed } = useSession();
  const { behindSso } = closed;
  if (behindSso.length === 0) {
    return null;
  }
  return (
    <Card title="Single sign-on required">
      <p className="text-ink-2 text-sm leading-6">
        To open {behindSso.map(({ organizationName }) => organizationName).join(', ')}, sign in through{' '}
        <Link href="/sign-in/sso" className="font-medium text-accent-ink underline underline-offset-4">
          single sign-on
        </Link>
        .{' '}
        {behindSso.some(({ role }) => role === 'owner')
          ? 'Owners with two-factor sign-in can use any sign-in method.'
          : null}
      </p>
    </Card>
  );
}
