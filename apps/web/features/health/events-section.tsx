'use client';

import { Button, Card, EmptyState, SkeletonRows, useToast } from '@penstock/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BellOff, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../lib/session';
import { DateTime } from '../../lib/time';
import { FailureNotice, useTRPC } from '../../lib/trpc';
import { EventFeed } from './event-feed';
import { FindingList } from './finding-list';
import { Recipients } from './recipients';
import { ruleTitle } from './rule-options';
import { SilenceDialog } from './silence-dialog';
import { type Silence, useClusterHealth } from './use-cluster-health';

/** Issues, notifications, silences and the event log. */
export function EventsSection({ clusterId }: { clusterId: string }) {
  const health = useClusterHealth(clusterId);
  const may = useMay();
  const mayWrite = may('silence:write');
  /** The rule to silence; null means all. Undefined while the dialog is closed. */
  const [silencing, setSilencing] = useState<string | null | undefined>(undefined);
  if (health.data === undefined) {
    return (
      <Card title="Open issues" flush>
        {health.error === null ? (
          <SkeletonRows rows={4} label="Loading issues" />
        ) : (
          <div className="p-4">
            <FailureNotice error={health.error} onRetry={() => void health.refetch()} />
          </div>
        )}
      </Card>
    );
  }
  const { findings, silences, recipients, level } = health.data;
  return (
    <div className="flex flex-col gap-4">
      <Card
        title="Open issues"
        description="We check cluster health every few seconds. Open issues stay here until they are resolved."
      >
        {findings.length > 0 ? (
          <FindingList
            findings={findings}
            action={(finding) =>
              mayWrite && !finding.isSilenced ? (
                <Button size="sm" variant="quiet" className="max-sm:-ml-3" onClick={() => setSilencing(finding.rule)}>
                  <BellOff aria-hidden />
                  Silence
                </Button>
              ) : null
            }
          />
        ) : (
          <EmptyState icon={<CircleCheck />} title={level === 'unknown' ? 'Not checked recently' : 'No open issues'}>
            {level === 'unknown'
              ? 'The background worker that checks cluster health isn’t running or has fallen behind.'
              : 'When a health check fails, you’ll see what’s wrong, since when, the cause and what to do.'}
          </EmptyState>
        )}
      </Card>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Silences clusterId={clusterId} silences={silences} mayWrite={mayWrite} onCreate={() => setSilencing(null)} />
        <Recipients clusterId={clusterId} recipients={recipients} />
      </div>
      <EventFeed clusterId={clusterId} />
      {silencing === undefined ? null : (
        <SilenceDialog clusterId={clusterId} rule={silencing} onClose={() => setSilencing(undefined)} />
      )}
    </div>
  );
}

function Silences({
  clusterId,
  silences,
  mayWrite,
  onCreate,
}: {
  clusterId: string;
  silences: readonly Silence[];
  mayWrite: boolean;
  onCreate: () => void;
}) {
  const trpc = useTRPC();
  const toast = useToast();
  const queries = useQueryClient();
  const end = useMutation(
    trpc.health.endSilence.mutationOptions({
      onSuccess: async () => {
        await queries.invalidateQueries({ queryKey: trpc.health.get.queryKey({ clusterId }) });
        toast({ title: 'Silence ended', description: 'Recipients are notified of open issues within seconds.' });
      },
    }),
  );
  return (
    <Card
      title="Silences"
      description="Pause email and webhook alerts, for example during maintenance. Issues are still shown and logged."
      actions={
        mayWrite ? (
          <Button size="sm" onClick={onCreate}>
            New silence
          </Button>
        ) : undefined
      }
    >
      {end.error === null ? null : <FailureNotice error={end.error} />}
      {silences.length === 0 ? (
        <p className="text-ink-3 text-sm">
          No silences.{mayWrite ? '' : ' Owners, admins and operators can silence alerts.'}
        </p>
      ) : (
        <ul className="flex flex-col divide-y divide-line text-sm">
          {silences.map((silence) => (
            <li
              key={silence.id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0"
            >
              <div className="min-w-0">
                <p className="font-medium text-ink">{ruleTitle(silence.rule)}</p>
                <p className="break-words text-ink-2">{silence.reason}</p>
                <p className="text-ink-3 text-xs">
                  Until <DateTime timeMs={silence.until.getTime()} />, by {silence.createdBy}
                </p>
              </div>
              {mayWrite ? (
                <Button
                  size="sm"
                  variant="quiet"
                  pending={end.isPending}
                  onClick={() => end.mutate({ silenceId: silence.id })}
                >
                  End now
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
