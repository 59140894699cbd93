// Rules about landing buckets, which clusters in low-latency mode write to.
import { counterOf } from '@penstock/telemetry';
import { PRESENCE_CLEAR_MS, PRESENCE_RAISE_MS } from '../thresholds.ts';
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
