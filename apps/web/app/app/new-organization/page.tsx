import type { Metadata } from 'next';
import { CreateOrganization } from '../../../features/organization';

export const metadata: Metadata = { title: 'Create an organization' };

export default function Page() {
  return <CreateOrganization />;
}
