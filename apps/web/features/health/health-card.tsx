'use client';

import { Button, Card, cx } from '@penstock/ui';
import { ArrowRight, CircleAlert, CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react';
import { clusterPath } from '../../lib/routes';
import { Ago, DateTime } from '../../lib/time';
import { FailureNotice } from '../../lib/trpc';
import { IntentLink } from '../shell';
import { FindingSummary } from './finding-summary';
import { type Live, type ShownVerdict, shownVerdict } from './shown-verdict';
import { judged, useClusterHealth } from './use-cluster-health';

const LOOKS: Readonly<Record<ShownVerdict['tone'], { Icon: typeof CircleCheck; ink: string }>> = {
  ok: { Icon: CircleCheck, ink: 'text-ok-ink' },
  warn: { Icon: TriangleAlert, ink: 'text-warn-ink' },
  danger: { Icon: CircleAlert, ink: 'text-danger-ink' },
  neutral: { Icon: CircleDashed, ink: 'text-ink-3' },
};

/** The cluster's health, since when, why and what to do. The first card of the overview. */
export function HealthCard({ clusterId, live }: { clusterId: string; live: Live }) {
  const health = useClusterHealth(clusterId);
  const verdict = shownVerdict(judged(health.data), live);
  const { Icon, ink } = LOOKS[verdict.tone];
  const findings = health.data?.findings ?? [];
  const isJudged = health.data !== undefined && health.data.level !== 'waiting';
  return (
    <Card tone={verdict.tone === 'danger' ? 'danger' : 'plain'}>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 items-start gap-3">
          <Icon aria-hidden className={cx('mt-0.5 size-5 shrink-0', ink)} />
          <div className="min-w-0">
            <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold text-base text-ink leading-6">
              <span data-testid="verdict" role="status">
                {verdict.label}
              </span>
              {isJudged && health.data?.since != null && health.data.level !== 'unknown' ? (
                <span className="font-normal text-ink-3 text-xs">
                  since <DateTime timeMs={health.data.since.getTime()} />
                </span>
              ) : null}
            </h2>
            {verdict.text === null ? null : <p className="max-w-prose text-ink-2 text-sm leading-6">{verdict.text}</p>}
          </div>
        </div>
        {verdict.tone === 'ok' || isJudged ? (
          <Button asChild size="sm" variant="quiet" className="max-sm:-ml-3">
            <IntentLink href={clusterPath(clusterId, 'events')}>
              Events and alerts
              <ArrowRight aria-hidden />
            </IntentLink>
          </Button>
        ) : (
          <Button asChild size="sm" variant="primary">
            <IntentLink href={clusterPath(clusterId, 'connect')}>
              Start an agent
              <ArrowRight aria-hidden />
            </IntentLink>
          </Button>
        )}
      </div>
      {findings.length === 0 ? null : (
        <div className="mt-3 border-line border-t pt-3">
          <FindingSummary clusterId={clusterId} findings={findings} />
        </div>
      )}
      {health.data === undefined && health.error !== null ? (
        <div className="mt-3">
          <FailureNotice error={health.error} onRetry={() => void health.refetch()} />
        </div>
      ) : null}
      {health.data?.assessedAt == null ? null : (
        <p className="mt-3 text-ink-3 text-xs">
          Checked <Ago timeMs={health.data.assessedAt.getTime()} />
          {verdict.isSilenced ? '. Alerts are silenced.' : ''}
        </p>
      )}
    </Card>
  );
}
