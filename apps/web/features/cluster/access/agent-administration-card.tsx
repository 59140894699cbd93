'use client';

import { Card, Switch, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { useMay } from '../../../lib/session';
import { FailureNotice, useTRPC } from '../../../lib/trpc';
import { useCluster } from '../cluster-frame';
import { useRefreshCluster } from '../settings/use-refresh-cluster';

/** Whether agents may change users, ACLs and quotas for clients that have proved nothing to the service. */
export function AgentAdministrationCard() {
  const trpc = useTRPC();
  const cluster = useCluster();
  const refresh = useRefreshCluster();
  const toast = useToast();
  const mayWrite = useMay()('cluster:write');
  const labelId = useId();
  const hintId = useId();
  const update = useMutation(
    trpc.cluster.update.mutationOptions({
      onSuccess: async (updated) => {
        await refresh(updated.id);
        toast({
          title: updated.allowAgentAdministration ? 'Agents may administer access' : 'Clients must prove who they are',
        });
      },
    }),
  );
  return (
    <Card title="Administration over Kafka" description="Applies within seconds.">
      <div className="flex items-start justify-between gap-6">
        <div>
          <p id={labelId} className="font-medium text-ink text-sm">
            Let agents administer access
          </p>
          <p id={hintId} className="mt-0.5 text-[0.8125rem] text-ink-3 leading-5">
            {cluster.allowAgentAdministration
              ? 'Kafka clients can change users, ACLs and quotas however they sign in. Whoever holds one of the cluster’s agent keys can, too.'
              : 'Kafka clients can change users, ACLs and quotas only after they sign in with SCRAM. We verify the sign-in and their ACLs, so an agent key alone can’t change them.'}
          </p>
        </div>
        {mayWrite ? (
          <Switch
            checked={cluster.allowAgentAdministration}
            disabled={update.isPending}
            onCheckedChange={(allowAgentAdministration) =>
              update.mutate({ clusterId: cluster.id, allowAgentAdministration })
            }
            aria-labelledby={labelId}
            aria-describedby={hintId}
          />
        ) : null}
      </div>
      {update.error === null ? null : <FailureNotice error={update.error} />}
    </Card>
  );
}
