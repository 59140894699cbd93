'use client';

import { Badge, Card, EmptyState, SkeletonRows } from '@penstock/ui';
import { formatDurationMs } from '@penstock/units';
import { useQuery } from '@tanstack/react-query';
import { Stethoscope } from 'lucide-react';
import type { ReactNode } from 'react';
import { Ago } from '../../lib/time';
import { FailureNotice, useTRPC } from '../../lib/trpc';
import {
  type Diagnosis,
  errorKindNames,
  failureText,
  lifecycleWords,
  operationNames,
  type Tone,
} from './diagnosis-words';

/** Updates arrive with an agent's report, at most every ten seconds. */
const REFRESH_MS = 10_000;
/** Object storage reports its time to the second. */
const CLOCK_TOLERANCE_MS = 5_000;

/** The agent's diagnosis of its bucket, and its latest failures. */
export function DiagnosisCard({ clusterId, agentId }: { clusterId: string; agentId: string }) {
  const trpc = useTRPC();
  const diagnosis = useQuery({
    ...trpc.telemetry.agentDiagnosis.queryOptions({ clusterId, agentId }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Card
      title="Bucket access"
      description="The agent writes, reads, lists and deletes a small test object when it starts and every five minutes. If an operation fails, it retries every ten seconds."
      actions={
        diagnosis.data == null ? undefined : (
          <span className="text-ink-3 text-xs">
            <Ago timeMs={diagnosis.data.checkedAtMs} />
          </span>
        )
      }
    >
      {diagnosis.data === undefined ? (
        diagnosis.error === null ? (
          <SkeletonRows rows={4} label="Loading bucket access" />
        ) : (
          <FailureNotice error={diagnosis.error} onRetry={() => void diagnosis.refetch()} />
        )
      ) : diagnosis.data === null ? (
        <EmptyState icon={<Stethoscope />} title="No results yet">
          The agent has just started and hasn’t reported results.
        </EmptyState>
      ) : (
        <DiagnosisList diagnosis={diagnosis.data} />
      )}
    </Card>
  );
}

function DiagnosisList({
  diagnosis: { checks, lifecycle, storeClockOffset_ms: storeClockOffsetMs, lastErrors },
}: {
  diagnosis: Diagnosis;
}) {
  const rules = lifecycleWords(lifecycle);
  const isClockOff = Math.abs(storeClockOffsetMs ?? 0) >= CLOCK_TOLERANCE_MS;
  return (
    <ul className="flex flex-col divide-y divide-line text-sm">
      {checks.map(({ operation, took_ms: tookMs, failure }) => (
        <Row
          key={operation}
          name={operationNames[operation]}
          tone={failure === null ? 'ok' : 'danger'}
          label={failure === null ? 'Works' : 'Fails'}
        >
          {failure === null ? formatDurationMs(tookMs) : failureText(failure)}
        </Row>
      ))}
      <Row name="Lifecycle rules" tone={rules.tone} label={rules.label}>
        {rules.text}
      </Row>
      <Row
        name="Clock offset from object storage"
        tone={storeClockOffsetMs === null ? 'neutral' : isClockOff ? 'warn' : 'ok'}
        label={storeClockOffsetMs === null ? 'Unknown' : isClockOff ? 'Wrong' : 'OK'}
      >
        {storeClockOffsetMs === null
          ? 'Unknown until the agent has written a test object.'
          : isClockOff
            ? `${formatDurationMs(Math.abs(storeClockOffsetMs))} ${storeClockOffsetMs > 0 ? 'ahead' : 'behind'}.`
            : 'No offset measured. Accurate to one or two seconds.'}
      </Row>
      {lastErrors.map(({ kind, failure, atMs }) => (
        <Row key={kind} name={errorKindNames[kind]} tone="neutral" label="Latest error">
          <Ago timeMs={atMs} />: {failureText(failure)}
        </Row>
      ))}
    </ul>
  );
}

function Row({ name, tone, label, children }: { name: string; tone: Tone; label: string; children: ReactNode }) {
  return (
    <li className="flex flex-col gap-x-4 gap-y-1 py-2.5 first:pt-0 last:pb-0 sm:flex-row">
      <span className="w-64 shrink-0 text-ink-2 leading-5">{name}</span>
      <span className="w-40 shrink-0">
        <Badge tone={tone} dot>
          {label}
        </Badge>
      </span>
      <span className="min-w-0 break-words text-ink leading-5">{children}</span>
    </li>
  );
}
