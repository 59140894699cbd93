'use client';

import { Button, Notice } from '@penstock/ui';
import { FailureNotice } from '../../lib/trpc';
import { AgentRefusal, AgentUnreachable } from './ask-agent';
import { likelyCauses } from './likely-causes';

/** Why there are no records: the agent refused, was unreachable, or the control plane issued no token. */
export function SearchFailure({ error, onReload }: { error: unknown; onReload: () => void }) {
  if (error instanceof AgentRefusal) {
    return (
      <Notice tone="danger" title="The agent rejected the request">
        {sentence(error.message)}
      </Notice>
    );
  }
  if (!(error instanceof AgentUnreachable)) {
    return <FailureNotice error={error} />;
  }
  if (error.isBlockedByPage) {
    return (
      <Notice
        tone="warn"
        title="Reload to use this agent"
        action={
          <Button size="sm" onClick={onReload}>
            Reload
          </Button>
        }
      >
        For security, a page can call only the agents that it knew when it loaded. This one started or turned on message
        browsing later, or the metadata service was slow to list it.
      </Notice>
    );
  }
  return (
    <Notice tone="danger" title="Couldn’t reach the agent">
      <p>
        It tried <code className="break-all font-mono text-[0.8125rem]">{error.url}</code>. Browsers don’t report the
        reason. Likely causes:
      </p>
      <ul className="mt-1 list-disc pl-5">
        {likelyCauses(window.location.protocol, error.url).map((cause) => (
          <li key={cause}>{cause}</li>
        ))}
      </ul>
    </Notice>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
