'use client';

import { buttonClass, Card } from '@penstock/ui';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useSession } from '../../lib/session';

const ACCOUNT = '/app/account';

/** Organizations that open only once the user has set up two-factor sign-in. */
export function BehindTwoFactor() {
  const { behindTwoFactor } = useSession().closed;
  const pathname = usePathname();
  if (behindTwoFactor.length === 0) {
    return null;
  }
  const names = behindTwoFactor.map(({ organizationName }) => organizationName).join(', ');
  return (
    <Card title="Two-factor sign-in required">
      <div className="flex flex-col items-start gap-3">
        <p className="text-ink-2 text-sm leading-6">To open {names}, set up two-factor sign-in for your account.</p>
        {pathname === ACCOUNT ? null : (
          <Link href={ACCOUNT} className={buttonClass('primary')}>
            Go to your account
          </Link>
        )}
      </div>
    </Card>
  );
}
