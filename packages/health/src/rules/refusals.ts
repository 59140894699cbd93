// Whether writes get through at all, whatever the code of their refusal: what no list of faults foresaw is seen here.
import { apiAndCodeOf, counterOf, mergeSamples, type Sample } from '@penstock/telemetry';
import type { AgentMeasures } from '../facts.ts';
import { LEAST_ERRORS, NEARLY_NOTHING_ACCEPTED } from '../thresholds.ts';

const PRODUCE = 0;

/**
 * Refusals of Produce that say nothing of the cluster: a request that would be refused by any cluster at any time (its form, size,
 * compression, timestamps, version), one for a topic that does not exist or that its client may not write, and what the cluster's owner asked
 * for (POLICY_VIOLATION, a spending cap). Sequence and epoch errors are not among them: a cluster that forgot its producers gives them to all.
 */
export const NOT_THE_CLUSTERS: ReadonlySet<number> = new Set([
  2, // CORRUPT_MESSAGE
  3, // UNKNOWN_TOPIC_OR_PARTITION
  10, // MESSAGE_TOO_LARGE
  17, // INVALID_TOPIC_EXCEPTION
  18, // RECORD_LIST_TOO_LARGE
  21, // INVALID_REQUIRED_ACKS
  29, // TOPIC_AUTHORIZATION_FAILED
  32, // INVALID_TIMESTAMP
  35, // UNSUPPORTED_VERSION
  43, // UNSUPPORTED_FOR_MESSAGE_FORMAT
  44, // POLICY_VIOLATION
  53, // TRANSACTIONAL_ID_AUTHORIZATION_FAILED
  76, // UNSUPPORTED_COMPRESSION_TYPE
  87, // INVALID_RECORD
  100, // UNKNOWN_TOPIC_ID
]);

export interface Refusals {
  requests: number;
  /** By partition, so there may be more than requests. */
  refused: number;
  acceptedRecords: number;
  /** Of most refusals. */
  worstCode: number;
}

/**
 * Undefined unless all writes are refused, or nearly all. Refusals count partitions and requests are whole, so the share of refused requests
 * is not known; but an accepted one brings a record at least, which bounds from above how many were accepted.
 */
export function refusesAllWrites({
  newest,
  previous,
}: Pick<AgentMeasures, 'newest' | 'previous'>): Refusals | undefined {
  const now = refusalsOf(newest);
  if (now.refused === 0) {
    return undefined;
  }
  if (isNearlyAll(now)) {
    return now;
  }
  // A quiet cluster has a write or two in ten seconds.
  const longer = previous === undefined ? now : refusalsOf(mergeSamples([newest, previous]));
  return isNearlyAll(longer) ? longer : undefined;
}

function refusalsOf(sample: Sample): Refusals {
  const byCode = new Map<number, number>();
  for (const [key, count] of sample.errors) {
    const { apiKey, errorCode } = apiAndCodeOf(key);
    if (apiKey === PRODUCE && errorCode !== 0 && !NOT_THE_CLUSTERS.has(errorCode)) {
      byCode.set(errorCode, count);
    }
  }
  const [[worstCode] = [0]] = [...byCode].toSorted(([, left], [, right]) => right - left);
  return {
    requests: sample.requests.get(PRODUCE) ?? 0,
    refused: [...byCode.values()].reduce((sum, count) => sum + count, 0),
    acceptedRecords: counterOf(sample, 'produced_records'),
    worstCode,
  };
}

function isNearlyAll({ requests, refused, acceptedRecords }: Refusals): boolean {
  const attempts = Math.min(requests, refused);
  return refused >= LEAST_ERRORS && acceptedRecords < requests * NEARLY_NOTHING_ACCEPTED && attempts > requests / 2;
}
