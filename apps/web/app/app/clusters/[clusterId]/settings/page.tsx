import type { Metadata } from 'next';
import { SettingsSection } from '../../../../../features/cluster';

export const metadata: Metadata = { title: 'Settings' };

export default function Page() {
  return <SettingsSection />;
}
