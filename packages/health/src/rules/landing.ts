// Rules about landing buckets, which clusters in low-latency mode write to.
import { counterOf, type Sample } from '@penstock/telemetry';
import { LANDING_RAISE_MS, PRESENCE_CLEAR_MS, PRESENCE_RAISE_MS } from '../thresholds.ts';
import { listed, type Rule } from './rule.ts';

export const landingFallback: Rule = {
  id: 'landing.fallback',
  // A window already lasts ten seconds.
  raiseAfterMs: 0,
  clearAfterMs: 0,
  observe({ measures, together }) {
    if (together === null) {
      return 'unknown';
    }
    const seen = measures.flatMap(({ agentId, newest, previous }) => {
      const files = counterOf(newest, 'landing_fallbacks');
      const filesBefore = previous === undefined ? 0 : counterOf(previous, 'landing_fallbacks');
      return files + filesBefore === 0 ? [] : [{ agentId, files }];
    });
    if (seen.length === 0) {
      return [];
    }
    const writing = seen.filter(({ files }) => files > 0);
    const ids = writing.map(({ agentId }) => agentId);
    const [only] = ids;
    const files = writing.reduce((sum, own) => sum + own.files, 0);
    return [
      {
        subject: ids.length === 1 && only !== undefined ? { agentId: only } : {},
        severity: 'warning',
        // Agents try the landing buckets again every ten seconds, so a window without such a file may lie in between.
        strength: files > 0 ? 'bad' : 'fading',
        cause: `${ids.length === 1 ? 'Agent' : 'Agents'} ${listed(ids, 3)} wrote ${files} ${files === 1 ? 'file' : 'files'} to the standard bucket within ten seconds, because no two landing buckets took ${files === 1 ? 'it' : 'them'}${others(measures.length - ids.length)}.`,
      },
    ];
  },
};

function others(count: number): string {
  return count === 0 ? '' : `; ${count} other ${count === 1 ? 'agent' : 'agents'} wrote none there`;
}

/**
 * Agents write around one bucket that fails, and read the other copy of what it has. So this is all that there is to see. Once a second
 * one fails, `landing.fallback` says more.
 */
export const landingFailing: Rule = {
  id: 'landing.failing',
  raiseAfterMs: LANDING_RAISE_MS,
  clearAfterMs: 0,
  observe({ measures, together }) {
    if (together === null) {
      return 'unknown';
    }
    const seen = measures.flatMap(({ agentId, newest, previous }) => {
      const windows = [newest, ...(previous === undefined ? [] : [previous])];
      if (windows.some((window) => counterOf(window, 'landing_fallbacks') > 0)) {
        return [];
      }
      const failures = windows.map(landingFailures);
      const writes = sumOf(failures.map((of) => of.writes));
      const reads = sumOf(failures.map((of) => of.reads));
      return writes + reads === 0 ? [] : [{ agentId, writes, reads }];
    });
    if (seen.length === 0) {
      return [];
    }
    const ids = seen.map(({ agentId }) => agentId);
    const [only] = ids;
    const writes = sumOf(seen.map((of) => of.writes));
    const reads = sumOf(seen.map((of) => of.reads));
    const rest = measures.length - ids.length;
    return [
      {
        subject: ids.length === 1 && only !== undefined ? { agentId: only } : {},
        severity: 'warning',
        strength: 'bad',
        cause: `Within 20 seconds, ${times(writes, 'write')} and ${times(reads, 'read')} of ${ids.length === 1 ? 'agent' : 'agents'} ${listed(ids, 3)} failed in a landing bucket${rest === 0 ? '' : `; ${rest} other ${rest === 1 ? 'agent' : 'agents'} saw no failure`}.`,
      },
    ];
  },
};

function landingFailures(sample: Sample): { writes: number; reads: number } {
  return { writes: counterOf(sample, 'landing_put_errors'), reads: counterOf(sample, 'landing_get_errors') };
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function times(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

export const noLandingBuckets: Rule = {
  id: 'agent.no-landing-buckets',
  raiseAfterMs: PRESENCE_RAISE_MS,
  clearAfterMs: PRESENCE_CLEAR_MS,
  observe({ agents, isLowLatency }) {
    if (!isLowLatency) {
      return [];
    }
    if (agents === null) {
      return 'unknown';
    }
    return agents.flatMap(({ agentId, zone, isAlive, hasLandingBuckets }) =>
      isAlive && hasLandingBuckets === false
        ? [
            {
              subject: { agentId, ...(zone === '' ? {} : { zone }) },
              severity: 'warning' as const,
              strength: 'bad' as const,
              cause: `Agent ${agentId} has no landing buckets. It writes to the standard bucket, and can’t read what other agents have landed until it is merged.`,
            },
          ]
        : [],
    );
  },
};
