'use client';

import { Card, CodeBlock } from '@penstock/ui';

const COMMAND = `export PENSTOCK_MESSAGE_BROWSER=true          # or: penstock agent --message-browser
export PENSTOCK_MESSAGE_BROWSER_LISTEN=0.0.0.0:9465
export PENSTOCK_MESSAGE_BROWSER_URL=https://records.example.com   # where your browser reaches it`;

/** Explains how to turn message browsing on in the agents. */
export function NotAllowedByAgents({ hasAgents }: { hasAgents: boolean }) {
  return (
    <Card
      title={hasAgents ? 'Message browsing is turned off' : 'No agents are running'}
      description={
        hasAgents
          ? 'It is off by default. The operator of your agents can turn it on.'
          : 'Start an agent with message browsing turned on.'
      }
    >
      <div className="flex flex-col gap-3">
        <CodeBlock title="Agent settings" code={COMMAND} />
        <p className="max-w-prose text-[0.8125rem] text-ink-2 leading-5">
          With these settings, the agent serves records to browsers that present a token from this control plane. A
          token gives access to one topic for 30 seconds. Owners and admins receive one when they view messages, and
          each access is recorded in the audit log. The agent uses plain HTTP. Put a TLS load balancer in front of it so
          that HTTPS pages can reach it.
        </p>
      </div>
    </Card>
  );
}
