'use client';

import { Badge, Button, Card, Notice } from '@penstock/ui';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { cloudOf } from '../../../lib/cloud';
import { useLiveSummary } from '../../../lib/live';
import { useMay, useSession } from '../../../lib/session';
import { AgentCommandPanel, ClientSnippetsPanel, SPARE_KAFKA_PORT } from '../../connect';
import { useCluster } from '../cluster-frame';
import { CreateKeyDialog } from '../keys/create-key-dialog';

const USUAL_KAFKA_PORT = 9_092;

/** From a new cluster to the first record: key, agent, client. */
export function ConnectSection({ clusterId }: { clusterId: string }) {
  const { agentMetadataUrl, isEmbedded } = useSession();
  const cluster = useCluster();
  const summary = useLiveSummary();
  const mayCreateKey = useMay()('agent-key:write');
  const [agentKey, setAgentKey] = useState<string | null>(null);
  const [isCreating, setIsCreating] = useState(false);
  // On a one-machine installation the demo's agent has the usual ports.
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
        description="Stateless: start as many as you like, in every zone where your clients are. Each needs a key of this cluster."
        actions={
          agentKey === null && mayCreateKey ? (
            <Button variant="primary" size="sm" onClick={() => setIsCreating(true)}>
              <KeyRound aria-hidden />
              Create a key and fill it in
            </Button>
          ) : undefined
        }
      >
        <div className="flex flex-col gap-4">
          {agentKey === null ? null : (
            <Notice tone="ok" title="The key is filled in below">
              It is shown until you leave this page, and never again. Copy the command now.
            </Notice>
          )}
          <AgentCommandPanel
            clusterId={clusterId}
            metadataUrl={agentMetadataUrl}
            // All agents of a cluster share one bucket: the one that it has is the only right answer.
            suggestedBucket={summary?.bucket ?? cloud.bucket}
            suggestedZone={cloud.zone}
            agentKey={agentKey}
            sparePort={sparePort}
          />
        </div>
      </Card>
      <Card
        title="2. Point a Kafka client at it"
        description="No change but the bootstrap address: any agent will do."
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
        <ClientSnippetsPanel bootstrap={bootstrap} />
      </Card>
      <CreateKeyDialog
        clusterId={clusterId}
        open={isCreating}
        onOpenChange={setIsCreating}
        onCreated={(plaintext) => {
          setAgentKey(plaintext);
          setIsCreating(false);
        }}
      />
    </div>
  );
}
