import type { Metadata } from 'next';
import { ApiReferencePage } from '../../../../features/api-reference';

export const metadata: Metadata = { title: 'API reference' };

export default function Page() {
  return <ApiReferencePage />;
}
