import { DateTime } from '../../lib/time';
import type { OpenFinding } from './use-cluster-health';

/** The remedy for an issue, and the time since which it is open. */
export function FindingRemedy({ finding }: { finding: OpenFinding }) {
  return (
    <>
      <p className="max-w-prose text-ink-2">
        <span className="font-medium text-ink">What to do: </span>
        {finding.remedy}
      </p>
      <p className="text-ink-3 text-xs">
        Since <DateTime timeMs={finding.since.getTime()} />
      </p>
    </>
  );
}
