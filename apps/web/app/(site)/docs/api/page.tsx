import type { Metadata } from 'next';
import { ApiReferencePage } from '../../../../features/api-reference';
import { API_REFERENCE_SLUG, DocsFrame } from '../../../../features/docs';
import { getApiReference } from '../../../../server/api-reference';

export const metadata: Metadata = { title: 'API reference' };

export default function Page() {
  return (
    <DocsFrame current={API_REFERENCE_SLUG}>
      <ApiReferencePage reference={getApiReference()} />
    </DocsFrame>
  );
}
