'use client';

import { Badge } from '@penstock/ui';
import type { ReactNode } from 'react';
import { FindingRemedy } from './finding-remedy';
import type { OpenFinding } from './use-cluster-health';

/** Each issue with its cause, start time and remedy. `action` is drawn next to its heading. */
export function FindingList({
  findings,
  action,
}: {
  findings: readonly OpenFinding[];
  action?: (finding: OpenFinding) => ReactNode;
}) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {findings.map((finding) => (
        <li key={finding.id} className="flex flex-col gap-1 py-4 text-sm leading-6 first:pt-0 last:pb-0">
          <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
            <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
              <h3 className="font-medium text-ink">{finding.title}</h3>
              <Badge tone={finding.severity === 'critical' ? 'danger' : 'warn'} dot>
                {finding.severity === 'critical' ? 'Critical' : 'Warning'}
              </Badge>
              {finding.isSilenced ? <Badge>Silenced</Badge> : null}
            </div>
            {action?.(finding)}
          </div>
          <p className="max-w-prose break-words text-ink-2">{finding.cause}</p>
          <FindingRemedy finding={finding} />
        </li>
      ))}
    </ul>
  );
}
