'use client';

import { cloudOf } from '../../../lib/cloud';
import { SecretDialog } from '../../../lib/forms';
import { useLiveSummary } from '../../../lib/live';
import { useSession } from '../../../lib/session';
import { AgentCommandPanel, SPARE_KAFKA_PORT } from '../../connect';
import { useCluster } from '../cluster-frame';
import type { NewAgentKey } from './create-key-dialog';

interface NewKeyDialogProps {
  clusterId: string;
  created: NewAgentKey | null;
  onClose: () => void;
}

export function NewKeyDialog({ clusterId, created, onClose }: NewKeyDialogProps) {
  const plaintext = created?.plaintext ?? null;
  const { agentMetadataUrl, isEmbedded } = useSession();
  const cluster = useCluster();
  const summary = useLiveSummary();
  const cloud = cloudOf(isEmbedded ? 'other' : cluster.cloud);
  return (
    <SecretDialog
      noun="agent key"
      plaintext={plaintext}
      whenLost="If you lose it, revoke this key and create a new one."
      onClose={onClose}
    >
      <AgentCommandPanel
        clusterId={clusterId}
        metadataUrl={agentMetadataUrl}
        suggestedBucket={summary?.bucket ?? cloud.bucket}
        suggestedZone={cloud.zone}
        agentKey={plaintext}
        keyScope={created?.scope ?? 'agent'}
        sparePort={isEmbedded ? SPARE_KAFKA_PORT : null}
      />
    </SecretDialog>
  );
}
