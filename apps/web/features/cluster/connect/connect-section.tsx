'use client';

import { Badge, Button, Card, Notice } from '@penstock/ui';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { cloudOf } from '../../../lib/cloud';
import { useLiveSummary } from '../../../lib/live';
import { useMay, useSession } from '../../../lib/session';
import { AgentCommandPanel, SPARE_KAFKA_PORT } from '../../connect';
import { useCluster } from '../cluster-frame';
import { CreateKeyDialog, type NewAgentKey } from '../keys/create-key-dialog';
import { ClientConnectionPanel } from './client-connection-panel';

const USUAL_KAFKA_PORT = 9_092;

/** The steps from a new cluster to its first record: key, agent, client. */
export function ConnectSection({ clusterId }: { clusterId: string }) {
  const { agentMetadataUrl, isEmbedded } = useSession();
  const cluster = useCluster();
  const summary = useLiveSummary();
  const mayCreateKey = useMay()('agent-key:write');
  const [agentKey, setAgentKey] = useState<NewAgentKey | null>(null);
  const [isCreating, setIsCreating] = useState(false);
  // On a one-machine installation the demo's agent already uses the default ports.
  const sparePort = isEmbedded ? SPARE_KAFKA_PORT : null;
  const bootstrap =
    summary === null || summary.bootstrap === null
      ? `127.0.0.1:${sparePort ?? USUAL_KAFKA_PORT}`
      : `${summary.bootstrap.host}:${summary.bootstrap.port}`;
  const cloud = cloudOf(isEmbedded ? 'other' : cluster.cloud);
  return (
    <div className="flex flex-col gap-4">
      <Card
        title="1. Start an agent"
        description="Agents are stateless. Run as many as you need, with at least one in each zone where you have clients. Each agent needs one of this cluster’s keys."
        actions={
          agentKey === null && mayCreateKey ? (
            <Button variant="primary" size="sm" onClick={() => setIsCreating(true)}>
              <KeyRound aria-hidden />
              Create key and add it to the command
            </Button>
          ) : undefined
        }
      >
        <div className="flex flex-col gap-4">
          {agentKey === null ? null : (
            <Notice tone="ok" title="Key added to the command below">
              Copy the command now. The key won’t be shown again after you leave this page.
            </Notice>
          )}
          <AgentCommandPanel
            clusterId={clusterId}
            metadataUrl={agentMetadataUrl}
            // All agents of a cluster share one bucket, so the known bucket is the only correct value.
            suggestedBucket={summary?.bucket ?? cloud.bucket}
            suggestedZone={cloud.zone}
            agentKey={agentKey?.plaintext ?? null}
            keyScope={agentKey?.scope ?? 'agent'}
            sparePort={sparePort}
          />
        </div>
      </Card>
      <Card
        title="2. Connect a Kafka client"
        description="Change only the connection settings. You can use the address of any agent."
        actions={
          summary === null || summary.bootstrap === null ? (
            <Badge dot>Waiting for an agent</Badge>
          ) : (
            <Badge tone="ok" dot>
              Agent alive at {bootstrap}
            </Badge>
          )
        }
      >
        <ClientConnectionPanel clusterId={clusterId} bootstrap={bootstrap} listeners={summary?.listeners ?? []} />
      </Card>
      <CreateKeyDialog
        clusterId={clusterId}
        open={isCreating}
        onClose={() => setIsCreating(false)}
        onCreated={(created) => {
          setAgentKey(created);
          setIsCreating(false);
        }}
      />
    </div>
  );
}
