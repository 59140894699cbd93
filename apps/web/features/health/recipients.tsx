'use client';

import { Card, Switch, useToast } from '@penstock/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useId } from 'react';
import { useMay } from '../../lib/session';
import { FailureNotice, useTRPC } from '../../lib/trpc';
import type { ClusterHealth } from './use-cluster-health';

type Member = ClusterHealth['recipients']['members'][number];

/** Where notifications are sent. Roles with the permission also see the email recipients. */
export function Recipients({ clusterId, recipients }: { clusterId: string; recipients: ClusterHealth['recipients'] }) {
  const may = useMay();
  const trpc = useTRPC();
  const toast = useToast();
  const queries = useQueryClient();
  const choose = useMutation(
    trpc.health.chooseRecipient.mutationOptions({
      onSuccess: async (_answer, { isTold }) => {
        await queries.invalidateQueries({ queryKey: trpc.health.get.queryKey({ clusterId }) });
        toast({ title: isTold ? 'Recipient added' : 'Recipient removed' });
      },
    }),
  );
  const mayChoose = may('cluster:write');
  const { emails, webhookHost, members } = recipients;
  return (
    <Card
      title="Recipients"
      description="Recipients are notified when an issue opens and when it is resolved, for all clusters in this organization. The same issue doesn’t trigger another alert within ten minutes."
    >
      <dl className="flex flex-col gap-3 text-sm">
        <div>
          <dt className="text-ink-3 text-xs">Email (owners, admins and operators by default)</dt>
          <dd className="text-ink-2">
            {choose.error === null ? null : <FailureNotice error={choose.error} />}
            {mayChoose ? (
              <ul aria-label="Members who receive email alerts" className="flex flex-col divide-y divide-line">
                {members.map((member) => (
                  <MemberRow
                    key={member.userId}
                    member={member}
                    isPending={choose.isPending}
                    onChoose={(isTold) => choose.mutate({ userId: member.userId, isTold })}
                  />
                ))}
              </ul>
            ) : (
              emails.map((email) => (
                <span key={email} className="block break-all">
                  {email}
                </span>
              ))
            )}
            {emails.length > 0 ? null : <p className="mt-1 text-warn-ink">Nobody receives email alerts.</p>}
          </dd>
        </div>
        <div>
          <dt className="text-ink-3 text-xs">Signed webhook</dt>
          <dd className="break-all text-ink-2">
            {webhookHost === null ? 'No webhook configured.' : webhookHost}{' '}
            {may('billing:write') ? (
              <Link
                href="/app/billing/settings"
                className="whitespace-nowrap font-medium text-accent-ink underline underline-offset-4"
              >
                {webhookHost === null ? 'Add webhook' : 'Edit'}
              </Link>
            ) : null}
          </dd>
        </div>
      </dl>
    </Card>
  );
}

function MemberRow({
  member: { email, role, isTold },
  isPending,
  onChoose,
}: {
  member: Member;
  isPending: boolean;
  onChoose: (isTold: boolean) => void;
}) {
  const labelId = useId();
  return (
    <li className="flex items-center justify-between gap-4 py-2">
      <span id={labelId} className="min-w-0 break-all">
        {email} <span className="text-ink-3 text-xs">{role}</span>
      </span>
      <Switch aria-labelledby={labelId} checked={isTold} disabled={isPending} onCheckedChange={onChoose} />
    </li>
  );
}
