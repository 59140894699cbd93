// Detects that writes are refused, whatever the code, including codes that no list foresaw.
import { apiAndCodeOf, counterOf, mergeSamples, type Sample } from '@penstock/telemetry';
import type { AgentMeasures } from '../facts.ts';
import { LEAST_ERRORS, NEARLY_NOTHING_ACCEPTED } from '../thresholds.ts';

const PRODUCE = 0;

/**
 * Refusals of Produce that say nothing about the cluster: a request that any cluster would refuse (its form, size,
 * compression, timestamps, version), a topic that does not exist or that the client may not write, and limits that the
 * cluster's owner set (POLICY_VIOLATION, a spending cap). Sequence and epoch errors are not among them: a cluster that
 * lost its producers' state returns them to all.
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
  /** Per partition, so there may be more than requests. */
  refused: number;
  acceptedRecords: number;
  /** The most frequent code. */
  worstCode: number;
}

/**
 * Undefined unless all or nearly all writes are refused. Refusals are counted per partition and requests as a whole, so
 * the share of refused requests is unknown. But each accepted request brings at least one record, which bounds the
 * number of accepted requests from above.
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
  // A quiet cluster has only a write or two in ten seconds.
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
