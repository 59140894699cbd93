'use client';

import { Badge } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { ChevronRight } from 'lucide-react';
import { clusterPath } from '../../lib/routes';
import { IntentLink } from '../shell';
import { FindingRemedy } from './finding-remedy';
import type { OpenFinding } from './use-cluster-health';

/** More would push the overview's figures out of view. */
const MOST_SHOWN = 3;

/** The worst issues in two lines each, with their remedies. The full list is under Events & alerts. */
export function FindingSummary({ clusterId, findings }: { clusterId: string; findings: readonly OpenFinding[] }) {
  const more = findings.length - MOST_SHOWN;
  return (
    <>
      <ul className="flex flex-col divide-y divide-line">
        {findings.slice(0, MOST_SHOWN).map((finding) => (
          <li key={finding.id} className="py-2 text-sm leading-6 first:pt-0 last:pb-0">
            <details className="group">
              <summary className="flex list-none items-start gap-2 rounded [&::-webkit-details-marker]:hidden">
                <ChevronRight
                  aria-hidden
                  className="mt-1 size-4 shrink-0 text-ink-3 transition-transform group-open:rotate-90"
                />
                <span className="min-w-0">
                  <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                    <span className="font-medium text-ink">{finding.title}</span>
                    {/* The verdict above already names the severity of most issues. */}
                    {finding.severity === 'critical' ? (
                      <Badge tone="danger" dot>
                        Critical
                      </Badge>
                    ) : null}
                    {finding.isSilenced ? <Badge>Silenced</Badge> : null}
                  </span>
                  <span className="block max-w-prose break-words text-ink-2">{finding.cause}</span>
                </span>
              </summary>
              <div className="mt-1 pl-6">
                <FindingRemedy finding={finding} />
              </div>
            </details>
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <p className="mt-2 pl-6 text-sm">
          <IntentLink
            href={clusterPath(clusterId, 'events')}
            className="rounded font-medium text-accent-ink underline underline-offset-4"
          >
            {formatCount(more)} more
          </IntentLink>
        </p>
      ) : null}
    </>
  );
}
