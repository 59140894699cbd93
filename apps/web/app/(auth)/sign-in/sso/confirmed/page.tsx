import type { Metadata } from 'next';
import { AuthPage, SsoWindowEnd } from '../../../../../features/auth';

export const metadata: Metadata = { title: 'Identity confirmed' };

export default function Page() {
  return (
    <AuthPage title="Identity confirmed" lead="Your change continues in the other window. Close this one.">
      <SsoWindowEnd purpose="confirmation" />
    </AuthPage>
  );
}
