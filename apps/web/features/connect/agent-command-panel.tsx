'use client';

import { CodeBlock, Field, Input, Notice, Tabs } from '@penstock/ui';
import { type ReactNode, useState } from 'react';
import {
  type AgentSettings,
  DOCKER_BUILD_COMMAND,
  dockerCommand,
  folderOf,
  isLocalUrl,
  kubernetesManifest,
  rolesOfScope,
  terminalCommand,
} from './agent-command';

export interface AgentCommandPanelProps {
  clusterId: string;
  metadataUrl: string;
  suggestedBucket: string;
  suggestedZone: string;
  /** The secret while it is known, otherwise null. */
  agentKey: string | null;
  /** The permissions of the key. */
  keyScope: string;
  /** A free port; see AgentSettings. */
  sparePort: number | null;
}

/** The commands that start an agent, with all known values filled in. */
export function AgentCommandPanel(props: AgentCommandPanelProps) {
  // Null until the user types: the suggestion may improve when the cluster's state arrives.
  const [typedBucket, setTypedBucket] = useState<string | null>(null);
  const [typedZone, setTypedZone] = useState<string | null>(null);
  const bucket = typedBucket ?? props.suggestedBucket;
  const zone = typedZone ?? props.suggestedZone;
  const settings: AgentSettings = {
    clusterId: props.clusterId,
    metadataUrl: props.metadataUrl,
    bucket: bucket.trim(),
    zone: zone.trim(),
    agentKey: props.agentKey,
    roles: rolesOfScope(props.keyScope),
    sparePort: props.sparePort,
  };
  const isLocal = isLocalUrl(props.metadataUrl);
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Bucket" hint="An s3://, gs:// or az:// URL, or file:///folder to try it on this machine.">
          {(control) => (
            <Input
              {...control}
              value={bucket}
              onChange={(event) => setTypedBucket(event.target.value)}
              autoComplete="off"
              spellCheck={false}
              className="font-mono text-[0.8125rem]"
            />
          )}
        </Field>
        <Field label="Availability zone" hint="Leave empty if there are no zones.">
          {(control) => (
            <Input
              {...control}
              value={zone}
              onChange={(event) => setTypedZone(event.target.value)}
              autoComplete="off"
              spellCheck={false}
              className="font-mono text-[0.8125rem]"
            />
          )}
        </Field>
      </div>
      <Tabs
        label="Where the agent runs"
        items={[
          {
            value: 'terminal',
            label: 'Terminal',
            content: (
              <div className="flex flex-col gap-3">
                <CodeBlock title="Terminal" code={terminalCommand(settings)} />
                <Fine>
                  {isLocal
                    ? 'Run this on the machine that runs Penstock. In the clone, the binary is apps/agent/target/release/penstock.'
                    : 'Install the penstock binary on a machine that your clients can reach, and run this there.'}{' '}
                  {props.sparePort === null
                    ? 'Kafka clients connect to this agent on port 9092.'
                    : `Kafka clients connect to this agent at 127.0.0.1:${props.sparePort}. Port 9092, the default, may be in use by another agent.`}
                </Fine>
              </div>
            ),
          },
          {
            value: 'docker',
            label: 'Docker',
            content: (
              <div className="flex flex-col gap-3">
                {isLocal && <CodeBlock title="Build the image once, in the clone" code={DOCKER_BUILD_COMMAND} />}
                <CodeBlock title="Docker" code={dockerCommand(settings)} />
                <Fine>
                  {isLocal
                    ? 'The command uses host networking so that the container can reach the metadata service at 127.0.0.1.'
                    : 'The command uses host networking so that the agent advertises the address it listens on.'}
                  {folderOf(settings.bucket) === null
                    ? ' The agent gets bucket credentials from the machine’s role, or from AWS_…, GOOGLE_… or AZURE_… variables that you add.'
                    : ' Create the bucket’s folder first. Otherwise Docker creates it as root.'}
                </Fine>
              </div>
            ),
          },
          {
            value: 'kubernetes',
            label: 'Kubernetes',
            content: (
              <div className="flex flex-col gap-3">
                <CodeBlock title="penstock-agent.yaml" code={kubernetesManifest(settings)} />
                {isLocal || folderOf(settings.bucket) !== null ? (
                  <Notice tone="warn" title="Pods can’t reach this address">
                    {isLocal ? 'The metadata URL points to this machine. Use an address that pods can reach. ' : ''}
                    {folderOf(settings.bucket) !== null ? 'Pods don’t share a folder. Use a bucket.' : ''}
                  </Notice>
                ) : null}
                <Fine>
                  The manifest stores the key in a Secret. Push the image (see Docker) to your registry, replace the
                  image name, then run <Code>kubectl apply -f penstock-agent.yaml</Code>.
                </Fine>
              </div>
            ),
          },
        ]}
      />
    </div>
  );
}

function Fine({ children }: { children: ReactNode }) {
  return <p className="text-[0.8125rem] text-ink-3 leading-5">{children}</p>;
}

function Code({ children }: { children: string }) {
  return <code className="rounded bg-inset px-1 py-0.5 font-mono text-ink-2 text-xs">{children}</code>;
}
