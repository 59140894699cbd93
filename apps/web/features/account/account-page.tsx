'use client';

import { useSession } from '../../lib/session';
import { ReceivedInvitations } from '../invitation';
import { BehindSso, BehindTwoFactor, DeletedOrganizations } from '../organization';
import { PageHeader } from '../shell';
import { ChangePasswordCard } from './change-password-card';
import { PasskeysCard } from './passkeys-card';
import { SessionsCard } from './sessions-card';
import { TwoFactorCard } from './two-factor-card';

export function AccountPage() {
  const { user } = useSession();
  return (
    <>
      <PageHeader title="Account" description={`${user.name}, ${user.email}`} />
      <div className="flex max-w-3xl flex-col gap-4">
        <BehindTwoFactor />
        <BehindSso />
        <ReceivedInvitations />
        <DeletedOrganizations />
        <TwoFactorCard />
        <PasskeysCard />
        <SessionsCard />
        <ChangePasswordCard />
      </div>
    </>
  );
}
