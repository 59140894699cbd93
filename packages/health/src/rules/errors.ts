// Rules about requests that failed through no fault of the client, and about writes that are all refused, with any
// code.
import { apiAndCodeOf, counterOf, mergeSamples, type Sample } from '@penstock/telemetry';
import { ERRORS_CLEAR, ERRORS_CRITICAL, ERRORS_RAISE, LEAST_ERRORS } from '../thresholds.ts';
import type { RuleId } from './catalogue.ts';
import { type Refusals, refusesAllWrites } from './refusals.ts';
import { type Observation, percent, type Rule } from './rule.ts';

/**
 * Kafka's error codes for failures of the cluster: unknown server error, leader or broker not available, time-out,
 * network, coordinator loading or not available, replicas, storage. All others are about the client's own request.
 */
const serverFaults = new Map<number, string>([
  [-1, 'UNKNOWN_SERVER_ERROR'],
  [5, 'LEADER_NOT_AVAILABLE'],
  [7, 'REQUEST_TIMED_OUT'],
  [8, 'BROKER_NOT_AVAILABLE'],
  [9, 'REPLICA_NOT_AVAILABLE'],
  [13, 'NETWORK_EXCEPTION'],
  [14, 'COORDINATOR_LOAD_IN_PROGRESS'],
  [15, 'COORDINATOR_NOT_AVAILABLE'],
  [19, 'NOT_ENOUGH_REPLICAS'],
  [20, 'NOT_ENOUGH_REPLICAS_AFTER_APPEND'],
  [56, 'KAFKA_STORAGE_ERROR'],
]);

/** Names of other codes with which Produce is refused. */
const otherRefusals = new Map<number, string>([
  [6, 'NOT_LEADER_OR_FOLLOWER'],
  [31, 'CLUSTER_AUTHORIZATION_FAILED'],
  [42, 'INVALID_REQUEST'],
  [45, 'OUT_OF_ORDER_SEQUENCE_NUMBER'],
  [47, 'INVALID_PRODUCER_EPOCH'],
  [49, 'INVALID_PRODUCER_ID_MAPPING'],
  [59, 'UNKNOWN_PRODUCER_ID'],
  [89, 'THROTTLING_QUOTA_EXCEEDED'],
  [90, 'PRODUCER_FENCED'],
]);

function faultsOf(sample: Sample, apiKey: number): Map<string, number> {
  const faults = new Map<string, number>();
  for (const [key, count] of sample.errors) {
    const { apiKey: ofApi, errorCode } = apiAndCodeOf(key);
    const name = ofApi === apiKey ? serverFaults.get(errorCode) : undefined;
    if (name !== undefined) {
      faults.set(name, (faults.get(name) ?? 0) + count);
    }
  }
  return faults;
}

function errorsOf(id: RuleId, apiKey: number, what: string): Rule {
  return {
    id,
    raiseAfterMs: 0,
    clearAfterMs: 0,
    observe({ together }) {
      if (together === null) {
        return 'unknown';
      }
      const faults = faultsOf(together, apiKey);
      const failed = [...faults.values()].reduce((sum, count) => sum + count, 0);
      // Errors are counted per partition, requests as a whole: a request that fails for many partitions counts once.
      const requests = together.requests.get(apiKey) ?? 0;
      const share = failed === 0 ? 0 : Math.min(1, failed / Math.max(1, requests));
      if (share < ERRORS_CLEAR) {
        return [];
      }
      const [[worst] = ['']] = [...faults].toSorted(([, left], [, right]) => right - left);
      return [
        {
          subject: {},
          severity: share >= ERRORS_CRITICAL ? 'critical' : 'warning',
          strength: share >= ERRORS_RAISE && failed >= LEAST_ERRORS ? 'bad' : 'fading',
          cause: `${failed} errors in ${requests} ${what} requests within ten seconds (${percent(share)}), most of them ${worst}.`,
        },
      ];
    },
  };
}

const produceFaults = errorsOf('produce.errors', 0, 'Produce');

export const produceErrors: Rule = {
  ...produceFaults,
  observe(facts) {
    const { measures, together } = facts;
    if (together === null) {
      return 'unknown';
    }
    const previous = measures.flatMap((measure) => measure.previous ?? []);
    const all = refusesAllWrites({
      newest: together,
      previous: together.errors.size === 0 || previous.length === 0 ? undefined : mergeSamples(previous),
    });
    if (all !== undefined) {
      return [{ subject: {}, severity: 'critical', strength: 'bad', cause: allRefused(all, 'The cluster') }];
    }
    const byAgent = measures.flatMap((measure): Observation[] => {
      const refusals = refusesAllWrites(measure);
      if (refusals === undefined) {
        return [];
      }
      const { agentId, zone } = measure;
      const cause = allRefused(refusals, `Agent ${agentId}`);
      return [{ subject: { agentId, ...(zone !== '' && { zone }) }, severity: 'warning', strength: 'bad', cause }];
    });
    const faults = produceFaults.observe(facts);
    return faults === 'unknown' ? faults : [...faults, ...byAgent];
  },
};

function allRefused({ requests, refused, acceptedRecords, worstCode }: Refusals, who: string): string {
  const name = produceErrorName(worstCode);
  const accepted = acceptedRecords === 0 ? 'no record' : `${acceptedRecords} record${acceptedRecords === 1 ? '' : 's'}`;
  return `${who} rejects writes: ${refused} rejections in ${requests} Produce requests and ${accepted} accepted, most of them with ${name}(${worstCode}).`;
}

/** With a trailing space; empty for an unknown code. */
function produceErrorName(code: number): string {
  const name = serverFaults.get(code) ?? otherRefusals.get(code);
  return name === undefined ? 'code ' : `${name} `;
}

export const fetchErrors = errorsOf('fetch.errors', 1, 'Fetch');

export const commitErrors: Rule = {
  id: 'commit.errors',
  raiseAfterMs: 0,
  clearAfterMs: 0,
  observe({ together }) {
    if (together === null) {
      return 'unknown';
    }
    const failed = counterOf(together, 'metadata_errors');
    if (failed === 0) {
      return [];
    }
    return [
      {
        subject: {},
        severity: 'warning',
        strength: failed >= LEAST_ERRORS ? 'bad' : 'fading',
        cause: `${failed} commits of data files timed out within ten seconds.`,
      },
    ];
  },
};
