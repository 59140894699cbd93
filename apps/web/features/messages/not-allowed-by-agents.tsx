'use client';

import { Card, CodeBlock } from '@penstock/ui';

const COMMAND = `export PENSTOCK_MESSAGE_BROWSER=true          # or: penstock agent --message-browser
export PENSTOCK_MESSAGE_BROWSER_LISTEN=0.0.0.0:9465
export PENSTOCK_MESSAGE_BROWSER_URL=https://records.example.com   # where your browser reaches it`;

/** Says how the agents' owner turns it on. */
export function NotAllowedByAgents({ hasAgents }: { hasAgents: boolean }) {
  return (
    <Card
      title={hasAgents ? 'The agents do not let records be looked at' : 'No agent is running'}
      description={
        hasAgents
          ? 'That is the default: records stay between your clients, your agents and your bucket. Whoever runs the agents can allow it.'
          : 'Records are read from an agent. Start one that allows it.'
      }
    >
      <div className="flex flex-col gap-3">
        <CodeBlock title="Settings of an agent" code={COMMAND} />
        <p className="max-w-prose text-[0.8125rem] text-ink-2 leading-5">
          The agent then serves the records of any topic to browsers that show a token of this control plane. A token
          opens one topic for half a minute; owners and admins get one when they look, which is written to the audit
          log. The agent speaks plain HTTP: put a load balancer with TLS in front, or pages that came by https cannot
          call it.
        </p>
      </div>
    </Card>
  );
}
