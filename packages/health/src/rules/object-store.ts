// Rules about object storage, as the agents see it: failed attempts, and writes that never return.
import { counterOf, gaugeOf, type Sample } from '@penstock/telemetry';
import type { AgentMeasures } from '../facts.ts';
import { ERRORS_CLEAR, ERRORS_CRITICAL, ERRORS_RAISE, LEAST_ERRORS } from '../thresholds.ts';
import { listed, percent, type Rule } from './rule.ts';

interface Attempts {
  failed: number;
  all: number;
}

/**
 * Attempts to write are counted at their start, failures at their end. With a slow store, more can fail in a window
 * than began.
 */
function attemptsOf(sample: Sample): Attempts {
  const failed = counterOf(sample, 'object_put_errors') + counterOf(sample, 'object_get_errors');
  const begun = counterOf(sample, 'object_puts') + counterOf(sample, 'object_gets');
  return { failed, all: Math.max(failed, begun) };
}

/**
 * Each failure follows several attempts by the client library. If nothing else succeeded, one failure is not chance.
 */
function nothingWorked(sample: Sample): boolean {
  return counterOf(sample, 'object_put_bytes') + counterOf(sample, 'object_get_bytes') === 0;
}

/** Files were in flight at the start and the end of the window, and not a byte was written in its ten seconds. */
function isStalled({ newest, previous }: AgentMeasures): boolean {
  const inFlight = (sample: Sample | undefined): number =>
    sample === undefined ? 0 : (gaugeOf(sample, 'files_in_flight')?.max ?? 0);
  const written = counterOf(newest, 'object_put_bytes') + counterOf(newest, 'landing_put_bytes');
  return inFlight(previous) > 0 && inFlight(newest) > 0 && written === 0;
}

export const objectStoreFailing: Rule = {
  id: 'object-store.failing',
  // A window already lasts ten seconds.
  raiseAfterMs: 0,
  clearAfterMs: 0,
  observe({ measures, together }) {
    if (together === null) {
      return 'unknown';
    }
    const stalled = measures.filter(isStalled).map(({ agentId }) => agentId);
    if (stalled.length > 0) {
      return [
        {
          subject: {},
          severity: 'critical',
          strength: 'bad',
          cause: `Files that ${agents(stalled)} wrote got no response for ten seconds or longer.`,
        },
      ];
    }
    const { failed, all } = attemptsOf(together);
    const share = all === 0 ? 0 : failed / all;
    if (share < ERRORS_CLEAR || failed === 0) {
      return [];
    }
    const failing = measures.filter(({ newest }) => attemptsOf(newest).failed > 0).map(({ agentId }) => agentId);
    return [
      {
        subject: failing.length === 1 && failing[0] !== undefined ? { agentId: failing[0] } : {},
        severity: share >= ERRORS_CRITICAL ? 'critical' : 'warning',
        strength: share >= ERRORS_RAISE && (failed >= LEAST_ERRORS || nothingWorked(together)) ? 'bad' : 'fading',
        cause: `${failed} of ${all} attempts within ten seconds failed (${percent(share)}), seen by ${agents(failing)}${failing.length < measures.length ? `; ${measures.length - failing.length} other agents saw none` : ''}.`,
      },
    ];
  },
};

function agents(ids: readonly string[]): string {
  return `agent${ids.length === 1 ? '' : 's'} ${listed(ids, 3)}`;
}
