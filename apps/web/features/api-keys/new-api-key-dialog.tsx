'use client';

import { CodeBlock } from '@penstock/ui';
import { SecretDialog } from '../../lib/forms';

export function NewApiKeyDialog({ plaintext, onClose }: { plaintext: string | null; onClose: () => void }) {
  const origin = typeof window === 'undefined' ? '' : window.location.origin;
  return (
    <SecretDialog
      noun="API key"
      plaintext={plaintext}
      whenLost="If you lose it, rotate the key or create a new one."
      onClose={onClose}
    >
      <CodeBlock title="Try it" code={`curl -H "Authorization: Bearer ${plaintext ?? ''}" ${origin}/api/v1/clusters`} />
    </SecretDialog>
  );
}
