// How large a request of each method may be, in bytes and in values: a value is a field that occurs in the message, an entry of a list, or a
// number in a packed list. Two bytes can stand for a value that takes 400 bytes of memory, and half a microsecond to decode.

export interface RequestLimit {
  maxBytes: number;
  maxValues: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** Ids, numbers and short texts. */
const SMALL: RequestLimit = { maxBytes: 64 * KIB, maxValues: 5_000 };
/**
 * Limit for lists from Kafka clients: topics, partitions, groups, users, ACLs. Allows 100,000 partitions of topics with
 * names of 40 characters.
 */
const LIST: RequestLimit = { maxBytes: 8 * MIB, maxValues: 600_000 };

/**
 * Through Connect's adapter, which decodes a whole message at once: JSON, gzip, gRPC, calls with a deadline. Agents don't use it for unary
 * calls. Of a compressed body, the bytes that it has when it is not.
 */
export const MAX_ADAPTED_BYTES = 64 * KIB;
/** Like the limit above, for the port of our own programs. */
export const MAX_ADMIN_BYTES = 4 * MIB;

/** Changes of topics, which are applied at once: 5,000 topics take about 90 ms. */
const TOPICS: RequestLimit = { maxBytes: 4 * MIB, maxValues: 20_000 };

const LIMITS = new Map<string, RequestLimit>([
  ['RegisterAgent', SMALL],
  ['AgentHeartbeat', SMALL],
  ['DeregisterAgent', SMALL],
  // Thirty windows, each with its histograms and 100 clients.
  ['ReportTelemetry', { maxBytes: 8 * MIB, maxValues: 600_000 }],
  // Agents declare 4,096 partitions at a time, and withdraw as many.
  ['UpdateInterest', { maxBytes: MIB, maxValues: 50_000 }],
  ['CreateTopics', TOPICS],
  ['DeleteTopics', TOPICS],
  ['CreatePartitions', TOPICS],
  ['AlterConfigs', TOPICS],
  ['AlterGroupConfigs', TOPICS],
  // A million batches. Their columns are read directly: see `MAX_VALUES_OF_SLOW_COMMIT` for those that are not.
  ['CommitFile', { maxBytes: 32 * MIB, maxValues: Number.POSITIVE_INFINITY }],
  ['InitProducerId', SMALL],
  ['TakeDeletions', SMALL],
  ['TakeJob', SMALL],
  // 300,000 target runs.
  ['CompleteJob', { maxBytes: 8 * MIB, maxValues: 2_500_000 }],
  // What the state machine takes of a member, and the rest of the message.
  ['JoinGroup', { maxBytes: MIB + 64 * KIB, maxValues: 5_000 }],
  ['GroupHeartbeat', SMALL],
  ['ConsumerGroupHeartbeat', { maxBytes: 4 * MIB, maxValues: 600_000 }],
  ['EndTransaction', SMALL],
  ['AbortTransaction', SMALL],
  ['DescribeSecurity', SMALL],
]);

/** @param method its name in the contract */
export function requestLimit(method: string): RequestLimit {
  return LIMITS.get(method) ?? LIST;
}
