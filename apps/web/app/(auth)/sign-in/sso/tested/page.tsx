import type { Metadata } from 'next';
import { AuthPage, SsoWindowEnd } from '../../../../../features/auth';

export const metadata: Metadata = { title: 'Connection test' };

export default function Page() {
  return (
    <AuthPage title="Connection test finished" lead="The result is on the Organization page. Close this window.">
      <SsoWindowEnd purpose="test" />
    </AuthPage>
  );
}
