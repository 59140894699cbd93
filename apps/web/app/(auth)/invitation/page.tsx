import type { Metadata } from 'next';
import { AuthPage } from '../../../features/auth';
import { InvitationPanel } from '../../../features/invitation';
import { getSession } from '../../../server/session';

export const metadata: Metadata = { title: 'Invitation', robots: { index: false } };

// Rendered per request, because it depends on the session.
export const dynamic = 'force-dynamic';

export default async function Page() {
  const { user } = await getSession();
  return (
    <AuthPage title="You’re invited">
      <InvitationPanel signedInAs={user?.email ?? null} />
    </AuthPage>
  );
}
