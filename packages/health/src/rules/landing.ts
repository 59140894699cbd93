// Rules about landing buckets, which clusters in low-latency mode write to.
import { type CounterName, counterOf, type Sample } from '@penstock/telemetry';
import { LANDING_RAISE_MS, PRESENCE_CLEAR_MS, PRESENCE_RAISE_MS } from '../thresholds.ts';
import { listed, type Rule, subjectOf } from './rule.ts';

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
    const files = writing.reduce((sum, own) => sum + own.files, 0);
    return [
      {
        subject: subjectOf(ids),
        severity: 'warning',
        // Agents try the landing buckets again every ten seconds, so a window without such a file may lie in between.
        strength: files > 0 ? 'bad' : 'fading',
        cause: `${ids.length === 1 ? 'Agent' : 'Agents'} ${listed(ids, 3)} wrote ${files} ${files === 1 ? 'file' : 'files'} to the standard bucket within ten seconds, because no two landing buckets took ${files === 1 ? 'it' : 'them'}${others(measures.length - ids.length, 'wrote none there')}.`,
      },
    ];
  },
};

function others(count: number, did: string): string {
  return count === 0 ? '' : `; ${times(count, 'other agent')} ${did}`;
}

function times(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/**
 * One failing bucket: agents write to the other two and read the other copies of its files, so nothing else shows the failure. When a
 * second one fails, `landing.fallback` reports it.
 */
export const landingFailing: Rule = {
  id: 'landing.failing',
  raiseAfterMs: LANDING_RAISE_MS,
  clearAfterMs: 0,
  observe({ measures, together }) {
    if (together === null) {
      return 'unknown';
    }
    const failing = measures.flatMap(({ agentId, newest, previous }) => {
      const windows = previous === undefined ? [newest] : [newest, previous];
      const hasFailed = total(windows, 'landing_put_errors') + total(windows, 'landing_get_errors') > 0;
      return hasFailed && total(windows, 'landing_fallbacks') === 0 ? [{ agentId, windows }] : [];
    });
    if (failing.length === 0) {
      return [];
    }
    const ids = failing.map(({ agentId }) => agentId);
    const windows = failing.flatMap((own) => own.windows);
    const writes = times(total(windows, 'landing_put_errors'), 'write');
    const reads = times(total(windows, 'landing_get_errors'), 'read');
    return [
      {
        subject: subjectOf(ids),
        severity: 'warning',
        strength: 'bad',
        cause: `Within 20 seconds, ${writes} and ${reads} of ${ids.length === 1 ? 'agent' : 'agents'} ${listed(ids, 3)} failed in a landing bucket${others(measures.length - ids.length, 'saw no failure')}.`,
      },
    ];
  },
};

function total(windows: readonly Sample[], counter: CounterName): number {
  return windows.reduce((sum, window) => sum + counterOf(window, counter), 0);
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
