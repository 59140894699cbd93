import type { Metadata } from 'next';
import { OrganizationPage } from '../../../features/organization-settings';

export const metadata: Metadata = { title: 'Organization' };

export default function Page() {
  return <OrganizationPage />;
}
