'use client';

import { CodeBlock } from '@penstock/ui';
import { SecretDialog } from '../../../lib/forms';
import type { SignIn } from './sign-in.types';
import { signInProperties } from './sign-in-properties';

export function NewUserDialog({ signIn, onClose }: { signIn: SignIn | null; onClose: () => void }) {
  return (
    <SecretDialog
      noun="password"
      plaintext={signIn?.password ?? null}
      storedAs="a SCRAM verifier"
      whenLost="If you lose it, create the user again to replace it."
      onClose={onClose}
    >
      {signIn === null
        ? null
        : signInProperties(signIn).map(({ title, code }) => <CodeBlock key={title} title={title} code={code} />)}
      <p className="text-[0.8125rem] text-ink-3 leading-5">
        If the agents’ listener has no TLS, use SASL_PLAINTEXT instead of SASL_SSL.
      </p>
    </SecretDialog>
  );
}
