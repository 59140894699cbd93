// Problems of single live agents.
import { gaugeOf, STORE_CLOCK_SKEW_MS } from '@penstock/telemetry';
import {
  CLOCK_SKEW_CLEAR_MS,
  CLOCK_SKEW_RAISE_MS,
  OLDEST_SUPPORTED_VERSION,
  PRESENCE_CLEAR_MS,
  PRESENCE_RAISE_MS,
} from '../thresholds.ts';
import { duration, type Rule } from './rule.ts';

/** Whether a version is older than another, by its three numbers; undefined for text that is not a version. */
export function isOlder(version: string, than: string): boolean | undefined {
  const [left, right] = [numbersOf(version), numbersOf(than)];
  if (left === undefined || right === undefined) {
    return undefined;
  }
  const at = left.findIndex((number, index) => number !== right[index]);
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0);
}

function numbersOf(version: string): number[] | undefined {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(version);
  return parts?.slice(1).map(Number);
}

export const unsupportedVersion: Rule = {
  id: 'agent.version-unsupported',
  raiseAfterMs: PRESENCE_RAISE_MS,
  clearAfterMs: PRESENCE_CLEAR_MS,
  observe({ agents }) {
    if (agents === null) {
      return 'unknown';
    }
    return agents.flatMap(({ agentId, version, zone, isAlive }) => {
      if (!isAlive || isOlder(version, OLDEST_SUPPORTED_VERSION) === false) {
        return [];
      }
      return [
        {
          subject: { agentId, ...(zone === '' ? {} : { zone }) },
          severity: 'warning' as const,
          strength: 'bad' as const,
          cause: `Agent ${agentId} runs ${version === '' ? 'an unknown version' : `version ${version}`}. The oldest supported version is ${OLDEST_SUPPORTED_VERSION}.`,
        },
      ];
    });
  },
};

export const clockSkew: Rule = {
  id: 'agent.clock-skew',
  raiseAfterMs: 0,
  clearAfterMs: 0,
  observe({ measures, together }) {
    if (together === null) {
      return 'unknown';
    }
    return measures.flatMap(({ agentId, zone, newest, diagnosis }) => {
      const gauge = gaugeOf(newest, 'clock_offset_ms');
      if (gauge === undefined) {
        return [];
      }
      const offsetMs = Math.abs(gauge.min) > Math.abs(gauge.max) ? gauge.min : gauge.max;
      if (Math.abs(offsetMs) < CLOCK_SKEW_CLEAR_MS) {
        return [];
      }
      const ofStoreMs = diagnosis?.storeClockOffset_ms ?? 0;
      const isSeenByStore = Math.abs(ofStoreMs) >= STORE_CLOCK_SKEW_MS;
      return [
        {
          subject: { agentId, ...(zone === '' ? {} : { zone }) },
          severity: 'warning' as const,
          strength: Math.abs(offsetMs) >= CLOCK_SKEW_RAISE_MS ? ('bad' as const) : ('fading' as const),
          cause: `The clock of agent ${agentId} is ${duration(Math.abs(offsetMs))} ${offsetMs > 0 ? 'ahead of' : 'behind'} ours${isSeenByStore ? `, and ${duration(Math.abs(ofStoreMs))} ${ofStoreMs > 0 ? 'ahead of' : 'behind'} its object storage’s` : ''}.`,
        },
      ];
    });
  },
};
