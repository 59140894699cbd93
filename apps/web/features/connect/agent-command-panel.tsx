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
  terminalCommand,
} from './agent-command';

export type AgentCommandPanelProps = {
  clusterId: string;
  metadataUrl: string;
  suggestedBucket: string;
  suggestedZone: string;
  /** The secret while it is known, else null. */
  agentKey: string | null;
  /** See AgentSettings. */
  sparePort: number | null;
};

/** The commands that start an agent, with everything filled in that is known. */
export function AgentCommandPanel(props: AgentCommandPanelProps) {
  // Null until somebody types: a suggestion may get better when the cluster's state arrives.
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
    sparePort: props.sparePort,
  };
  const isLocal = isLocalUrl(props.metadataUrl);
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Bucket" hint="s3://, gs://, az://, or file:///folder to try it out on this machine.">
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
        <Field label="Availability zone" hint="Leave it empty where there are no zones.">
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
                  From the root of the repository, where your clients can reach it.{' '}
                  {props.sparePort === null
                    ? 'Kafka clients then connect to its port 9092.'
                    : `Kafka clients then connect to 127.0.0.1:${props.sparePort}: the demo’s agent has port 9092 here.`}
                </Fine>
              </div>
            ),
          },
          {
            value: 'docker',
            label: 'Docker',
            content: (
              <div className="flex flex-col gap-3">
                <CodeBlock title="Once, in the repository" code={DOCKER_BUILD_COMMAND} />
                <CodeBlock title="Docker" code={dockerCommand(settings)} />
                <Fine>
                  {isLocal
                    ? 'Host networking: the metadata service is on this machine, and inside a container 127.0.0.1 would be the container itself.'
                    : 'Host networking keeps the address that clients are told the same as the one the agent listens on.'}
                  {folderOf(settings.bucket) === null
                    ? ' Credentials of the bucket come from the machine’s role or from AWS_…, GOOGLE_… or AZURE_… variables that you add.'
                    : ' Create the folder of the bucket first, or Docker makes it as root.'}
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
                  <Notice tone="warn" title="Not reachable from a pod as it stands">
                    {isLocal ? 'The metadata URL names this machine. Pods need an address that they can reach. ' : ''}
                    {folderOf(settings.bucket) !== null ? 'A folder is not shared between pods: use a bucket.' : ''}
                  </Notice>
                ) : null}
                <Fine>
                  The key goes into a Secret. Push the image (see Docker) to your registry and set its name; then{' '}
                  <Code>kubectl apply -f penstock-agent.yaml</Code>.
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
