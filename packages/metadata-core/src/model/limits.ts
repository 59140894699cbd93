// All limits of a virtual cluster. Where Kafka has the same limit, its name is given.

import { DAY_MS, MINUTE_MS } from '@penstock/units';

export const MAX_AGENTS = 1_000;
export const MAX_AGENT_FIELD_CHARS = 1_024;
/**
 * Maximum number of departed agents to remember. Beyond it, those that left first lose their node ids early.
 */
export const MAX_LEFT_AGENTS = 1_000;
/** An agent that left is removed after this. */
export const LEFT_AGENT_MEMORY_MS = 60 * MINUTE_MS;
export const MAX_REASON_CHARS = 1_000;

export const MAX_PARTITIONS_PER_CLUSTER = 1_000_000;
/** Limit for all topics of a CreateTopics or CreatePartitions together. As in Kafka since 4.0 (ReplicationControlManager). */
export const MAX_NEW_PARTITIONS_PER_REQUEST = 10_000;
/** Limit for clusters in mode `dev`, as sold in the price book. */
export const MAX_PARTITIONS_PER_DEV_CLUSTER = 1_000;
/** Rate limit for such clusters in uncompressed bytes. Agents throttle producers to it. */
export const MAX_WRITTEN_BYTES_PER_SECOND_OF_DEV_CLUSTER = 10 * 1024 * 1024;
/** Same as Kafka's Topic.MAX_NAME_LENGTH. */
export const MAX_TOPIC_NAME_CHARS = 249;
export const MAX_CONFIG_VALUE_CHARS = 1_024;

/** A data file is one PUT of at most this many bytes, so that positions fit in 32 bits. */
export const MAX_FILE_BYTES = 0xffff_ffff;
export const MAX_RUNS_PER_FILE = 1_000_000;
/**
 * Limit for a file that an agent commits. A commit is applied at once, in about 2.5 µs for each of its partitions, and all
 * clusters of the process wait meanwhile. An agent begins its next file at half of this.
 */
export const MAX_RUNS_PER_COMMIT = 32_768;
/** Maximum number of runs that one command removes because of retention. A run takes about 0.2 µs. */
export const MAX_EXPIRED_RUNS = 10_000;
/** The most files that one merged file may be made of. */
export const MAX_SOURCE_FILES = 4_096;
/** Limit for a compacted file, which has more sources when full because they shrink. */
export const MAX_COMPACTED_SOURCE_FILES = 16_384;
/** A run's length and its number of records are stored in 32 bits. */
export const MAX_RUN_RECORDS = 0xffff_ffff;
export const MAX_BATCHES_PER_FILE = 1_000_000;
/** Kafka: RecordBatch.RECORD_BATCH_OVERHEAD, the smallest batch. */
export const MIN_BATCH_BYTES = 61;
/** Together with the limit on batches, keeps the sum over a file exact. */
export const MAX_BATCH_UNCOMPRESSED_BYTES = 8 * 1024 ** 3;
/**
 * Maximum decompressed size of a batch, without its header, until the control plane sets the cluster's default for
 * max.uncompressed.batch.bytes. It is what agents accepted before that config existed.
 */
export const FORMER_MAX_UNCOMPRESSED_BATCH_BYTES = 1024 ** 3;
/**
 * Kafka: DefaultRecord. Its length, attributes, timestamp delta, offset delta, the lengths of key and value and the number of headers take at
 * least a byte each.
 */
export const MIN_RECORD_BYTES = 7;
/**
 * No codec makes less of a batch's records: a block of zstd that repeats one byte has 4 bytes and stands for 128 KiB (RFC 8878, 3.1.1.2).
 * Deflate reaches 1,032, LZ4 255 and Snappy 21.
 */
export const MAX_COMPRESSION_RATIO = 32_768;
/**
 * Maximum ratio of the sizes claimed by all batches of a file to its bytes, which is the best ratio of deflate. Two GiB
 * more are allowed, so that a few batches may exceed it. No file is filled with more than 64 GiB before it is sealed.
 */
export const MAX_FILE_COMPRESSION_RATIO = 1_032;
export const FREE_FILE_UNCOMPRESSED_BYTES = 2 * 1024 ** 3;
export const MAX_FILE_UNCOMPRESSED_BYTES = 64 * 1024 ** 3;
/** Kafka's last offset delta is a signed 32-bit number. */
export const MAX_BATCH_RECORDS = 0x7fff_ffff;
/** Keeps offsets exact; at a million records a second this lasts 285 years. */
export const MAX_OFFSET = Number.MAX_SAFE_INTEGER;

/** A commit of a file whose id (UUIDv7) is older than this is refused. */
export const FILE_ID_MAX_AGE_MS = 10 * MINUTE_MS;
/** A commit with an id from further in the future is refused, so that every id becomes too old before its answer is removed. */
export const FILE_ID_MAX_LEAD_MS = 5 * MINUTE_MS;
/** How long answers of commits and of InitProducerId are kept for retries. At least age plus lead. */
export const ANSWER_MEMORY_MS = 15 * MINUTE_MS;
/**
 * Maximum size of responses to commits. Beyond it, the oldest are removed early; a retry then gets an error that
 * requests a new file.
 */
export const MAX_REMEMBERED_ANSWER_BYTES = 128 * 1024 * 1024;
/**
 * Ids of committed files that are remembered exactly, at most 48 bytes each. Above three quarters of it (3,400 commits a second for a
 * quarter of an hour) they are remembered for a shorter time.
 */
export const MAX_REMEMBERED_FILE_IDS = 4 * 1024 * 1024;
/**
 * The most of these whose timestamps may be in the future. Further ones are refused, which leaves the rest to agents with correct clocks.
 */
export const MAX_REMEMBERED_FILE_IDS_AHEAD = MAX_REMEMBERED_FILE_IDS / 2;
/** The shortest time for which an id is remembered, however many there are. A commit arrives within seconds of its file. */
export const LEAST_ID_MEMORY_MS = MINUTE_MS;
/** Rules version 1: the most batches whose answers are kept (8 bytes each). */
export const MAX_REMEMBERED_BATCHES = 32 * 1024 * 1024;

/** Answers to InitProducerId that are kept. Beyond it, the oldest go; a retry then gets another id, which does no harm. */
export const MAX_REMEMBERED_GRANTS = 200_000;

/**
 * Producers that partitions remember, each counted once per partition that it wrote to in the last 24 hours. Beyond it,
 * partitions take no batches of idempotent producers that are new to them. About 450 MB.
 */
export const MAX_REMEMBERED_PRODUCERS = 4_000_000;
/** Same as Kafka's ProducerStateEntry.NUM_BATCHES_TO_RETAIN. */
export const REMEMBERED_BATCHES_PER_PRODUCER = 5;
/** Kafka's default for producer.id.expiration.ms. */
export const PRODUCER_EXPIRATION_MS = DAY_MS;

/** Kafka's default for transaction.max.timeout.ms. */
export const MAX_TRANSACTION_TIMEOUT_MS = 15 * MINUTE_MS;
/** Kafka's default for transactional.id.expiration.ms. */
export const TRANSACTIONAL_ID_EXPIRATION_MS = 7 * DAY_MS;
export const MAX_TRANSACTIONAL_IDS = 100_000;
export const MAX_TRANSACTIONAL_ID_CHARS = 1_024;
/** The partitions of all open transactions, each counted once per transaction. */
export const MAX_TRANSACTION_PARTITIONS = 500_000;
/** The groups of all open transactions, and the offsets that wait in them. */
export const MAX_PENDING_OFFSETS = 500_000;
/**
 * Maximum number of aborted transactions to report to readers, each counted once per partition. No transaction opens
 * beyond it.
 */
export const MAX_ABORTED_TRANSACTIONS = 500_000;
/** The most transactions that one command aborts because they timed out. */
export const MAX_TIMEOUTS_PER_COMMAND = 100;
/** Kafka: TransactionMetadata.isEpochExhausted. The epoch after it is left for the marker that fences the producer. */
export const LAST_PRODUCER_EPOCH = 0x7ffe;
/** The size of the control batch that an agent makes of a marker: a batch's header and a record of 17 bytes. */
export const MARKER_BYTES = 78;

/**
 * How long the sources of merges and compactions, and other files without live runs, stay: they may be deleted this long after their last
 * run was removed. Fetches that had located it have finished by then. The only place that says how long.
 */
export const DELETION_GRACE_MS = MINUTE_MS;
export const DELETION_LEASE_MS = 5 * MINUTE_MS;
export const MAX_DELETIONS_PER_TAKE = 10_000;

/** The most runs that one cursor of Locate returns. */
export const MAX_RUNS_PER_CURSOR = 4_096;

export const MAX_GROUP_ID_CHARS = 1_024;
export const MAX_MEMBERS_PER_GROUP = 5_000;
export const MAX_GROUPS = 100_000;
/** Sum over the protocols of one member. */
export const MAX_MEMBER_METADATA_BYTES = 1024 * 1024;
export const MAX_PROTOCOLS_PER_MEMBER = 64;
export const MAX_ASSIGNMENT_BYTES = 1024 * 1024;
export const MAX_GROUP_FIELD_CHARS = 1_024;
/** All topic names that one member of the new protocol subscribes to, and how many. */
export const MAX_SUBSCRIPTION_CHARS = 1024 * 1024;
/** Matching takes time in proportion to it. */
export const MAX_REGEX_CHARS = 4_096;
/** Groups with configs of their own. */
export const MAX_GROUP_CONFIGS = 10_000;
/** Kafka: group.min.session.timeout.ms and group.max.session.timeout.ms. */
export const MIN_SESSION_TIMEOUT_MS = 6_000;
export const MAX_SESSION_TIMEOUT_MS = 30 * MINUTE_MS;
/** Kafka accepts any 32-bit number. A longer rebalance could block a group for more than a day. */
export const MAX_REBALANCE_TIMEOUT_MS = DAY_MS;
/** Kafka's default for offset.metadata.max.bytes. */
export const MAX_OFFSET_METADATA_BYTES = 4_096;
/**
 * A group without members and offsets is removed after this, and its generations restart. Kafka removes it within minutes. Kept longer, no
 * member of an earlier generation is left when generation numbers repeat.
 */
export const EMPTY_GROUP_MEMORY_MS = DAY_MS;
/** Kafka: the default of offsets.retention.minutes. */
export const DEFAULT_OFFSETS_RETENTION_MINUTES = (7 * DAY_MS) / MINUTE_MS;
/** Kafka accepts any positive 32-bit number. */
export const MAX_OFFSETS_RETENTION_MINUTES = 2_147_483_647;

/** Subscriptions to the metrics of clients, which every agent holds. */
export const MAX_CLIENT_METRICS = 100;
export const MAX_CLIENT_METRICS_NAME_CHARS = 249;
/** Maximum length of one config of a subscription. */
export const MAX_CLIENT_METRICS_VALUE_CHARS = 4_096;

export const MAX_SCRAM_CREDENTIALS = 5_000;
/** Maximum length of a user name in SCRAM credentials and quotas. */
export const MAX_USER_CHARS = 255;
export const MAX_SCRAM_SALT_BYTES = 256;
/** Same as Kafka's ScramMechanism.minIterations. */
export const MIN_SCRAM_ITERATIONS = 4_096;
/** Kafka accepts at most 16,384. OWASP recommends 600,000 rounds of PBKDF2 with SHA-256. */
export const MAX_SCRAM_ITERATIONS = 1_000_000;
export const MAX_ACLS = 10_000;
/** The characters of the names in all ACLs. Together with their number, bounds what each agent holds and every change sends. */
export const MAX_ACL_CHARS = 2_000_000;
export const MAX_ACL_RESOURCE_NAME_CHARS = 1_024;
/** Distinguished names of certificates are long. */
export const MAX_PRINCIPAL_CHARS = 1_024;
export const MAX_ACL_HOST_CHARS = 255;
/** Filters of one command that can match several ACLs, each of which is compared with all of them. */
export const MAX_WIDE_ACL_FILTERS = 100;
/** Maximum number of entities with quotas. */
export const MAX_CLIENT_QUOTAS = 1_000;
export const MAX_CLIENT_ID_CHARS = 255;
export const MAX_SUPER_USERS = 100;

/**
 * Limits on the memory of things that multiply, in bytes, as counted by `growth.ts`. A command that would add more is
 * refused; one that adds nothing, or frees memory, never is.
 */
export const MEMORY_LIMITS = {
  /** Groups, what their members send, and what is assigned to them: groups × members × metadata, and groups × partitions. */
  groups: 256 * 1024 * 1024,
  /** Groups × partitions × metadata, pending ones of transactions included. */
  offsets: 256 * 1024 * 1024,
  /** Transactional ids, and the partitions and groups of open transactions. */
  transactions: 192 * 1024 * 1024,
  /** The names and configs of topics. */
  topics: 128 * 1024 * 1024,
} as const;
