'use client';

import { Button, CodeBlock, Dialog, DialogActions, Notice } from '@penstock/ui';
import { cloudOf } from '../../cloud';
import { AgentCommandPanel, SPARE_KAFKA_PORT } from '../../connect';
import { useLiveSummary } from '../../live';
import { useSession } from '../../session';
import { useCluster } from '../cluster-frame';

type NewKeyDialogProps = { clusterId: string; plaintext: string | null; onClose: () => void };

/** The only time that a key can be seen: it does not close by a stray click. */
export function NewKeyDialog({ clusterId, plaintext, onClose }: NewKeyDialogProps) {
  const { agentMetadataUrl, isEmbedded } = useSession();
  const cluster = useCluster();
  const summary = useLiveSummary();
  const cloud = cloudOf(isEmbedded ? 'other' : cluster.cloud);
  return (
    <Dialog
      open={plaintext !== null}
      onOpenChange={(open) => {
        if (!open) {
          onClose();
        }
      }}
      title="Your new agent key"
      dismissOnOutsideClick={false}
    >
      <div className="flex flex-col gap-4">
        <Notice tone="warn" title="Copy it now: it is shown only this once">
          We keep only its hash. If it is lost, create another and revoke this one.
        </Notice>
        <CodeBlock title="Agent key" code={plaintext ?? ''} />
        <AgentCommandPanel
          clusterId={clusterId}
          metadataUrl={agentMetadataUrl}
          suggestedBucket={summary?.bucket ?? cloud.bucket}
          suggestedZone={cloud.zone}
          agentKey={plaintext}
          sparePort={isEmbedded ? SPARE_KAFKA_PORT : null}
        />
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          I have copied it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
