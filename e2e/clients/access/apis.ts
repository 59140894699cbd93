// Every API that agents serve, as one request that needs a right: what it answers without that right and with it. The answers are those of
// Apache Kafka 4.3. Each request may be repeated, by many clients at once, and leaves the same state behind.
import { int16, int32, int64, recordBatch, string } from '../support/raw-kafka.ts';
import type { Reader } from '../support/wire-reader.ts';

export const TOPIC = 'matrix';
export const TOPIC_PARTITIONS = 2;
/** All names begin with it, also those of topics and groups that do not exist. */
export const NAME_PREFIX = 'matrix';
const NEW_TOPIC = 'matrix-new';
const ABSENT_TOPIC = 'matrix-absent';
const GROUP = 'matrix-commits';
const ABSENT_GROUP = 'matrix-absent';
const ABSENT_TRANSACTION = 'matrix-absent';

const NONE = 0;
const UNKNOWN_TOPIC_OR_PARTITION = 3;
const UNKNOWN_MEMBER_ID = 25;
const INVALID_REQUEST = 42;
const LOG_DIR_NOT_FOUND = 57;
const DELEGATION_TOKEN_AUTH_DISABLED = 61;
const TOPIC_DENIED = 29;
const GROUP_DENIED = 30;
const CLUSTER_DENIED = 31;
export const UNSUPPORTED_SASL_MECHANISM = 33;
export const ILLEGAL_SASL_STATE = 34;
const INVALID_PRODUCER_ID_MAPPING = 49;
const TRANSACTION_DENIED = 53;
export const SASL_AUTHENTICATION_FAILED = 58;
const GROUP_ID_NOT_FOUND = 69;
const MEMBER_ID_REQUIRED = 79;
const RESOURCE_NOT_FOUND = 91;
const TRANSACTIONAL_ID_NOT_FOUND = 105;

/** For APIs that refuse nobody and show less instead. */
const [HIDDEN, SHOWN] = [0, 1];

/** The requests that a client may send before it signs in. */
export const SIGN_IN_KEYS = { saslHandshake: 17, apiVersions: 18, saslAuthenticate: 36 };

export interface Api {
  key: number;
  name: string;
  version: number;
  body: Buffer;
  /** The error code of the answer, wherever it is, or what the answer shows. */
  read(answer: Reader): number;
  /** For a client without rights. */
  denied: number;
  /** For one that has the right, and for super users. */
  allowed: number;
  isFlexible?: boolean;
}

const NO_STRING = int16(-1);
const NO_ARRAY = int32(-1);
const EMPTY = int32(0);
const TIMEOUT = int32(10_000);
const PARTITION = int32(0);
const [FALSE, TRUE] = [byte(0), byte(1)];
const ANY = byte(1);
const TOPIC_RESOURCE = byte(2);

function byte(value: number): Buffer {
  return Buffer.from([value]);
}

function bytes(...parts: Buffer[]): Buffer {
  return Buffer.concat(parts);
}

/** An array of one item. */
function one(...parts: Buffer[]): Buffer {
  return bytes(int32(1), ...parts);
}

function ofTopic(...parts: Buffer[]): Buffer {
  return one(string(TOPIC), one(PARTITION, ...parts));
}

type Step = (answer: Reader) => unknown;

/** Reads the error code that comes after what the steps skip. */
function codeAfter(...steps: Step[]): Api['read'] {
  return (answer) => {
    for (const step of steps) {
      step(answer);
    }
    return answer.int16();
  };
}

const int32Field: Step = (answer) => answer.int32();
const int64Field: Step = (answer) => answer.int64();
const throttle = int32Field;
const name: Step = (answer) => answer.string();
const compactName: Step = (answer) => answer.compactString();
const single: Step = (answer) => demandOne(answer.int32());
const compactSingle: Step = (answer) => demandOne(answer.compactLength());
const brokers: Step = (answer) =>
  answer.array(() => [answer.int32(), answer.string(), answer.int32(), answer.string()]);
const onePartition: Step[] = [single, name, single, int32Field];

function demandOne(items: number): void {
  if (items !== 1) {
    throw new Error(`The answer has ${items} items instead of one`);
  }
}

const BATCH = recordBatch('a record of the matrix');
const MAX_BYTES = int32(1024 * 1024);

/** Key, name, version, body, and how its answer is read. */
type Row = [key: number, name: string, version: number, body: Buffer, read: Api['read'], allowed?: number];

const dataRows: Row[] = [
  [
    ...([0, 'Produce', 3] as const),
    bytes(NO_STRING, int16(-1), TIMEOUT, ofTopic(int32(BATCH.length), BATCH)),
    codeAfter(...onePartition),
  ],
  [
    ...([1, 'Fetch', 4] as const),
    bytes(int32(-1), int32(0), int32(0), MAX_BYTES, byte(0), ofTopic(int64(0n), MAX_BYTES)),
    codeAfter(throttle, ...onePartition),
  ],
  [2, 'ListOffsets', 1, bytes(int32(-1), ofTopic(int64(-1n))), codeAfter(...onePartition)],
  [3, 'Metadata', 1, one(string(TOPIC)), codeAfter(brokers, int32Field, single)],
  [
    ...([23, 'OffsetForLeaderEpoch', 2] as const),
    ofTopic(int32(-1), int32(0)),
    codeAfter(throttle, single, name, single),
  ],
];

const topicRows: Row[] = [
  [
    ...([19, 'CreateTopics', 2] as const),
    bytes(one(string(NEW_TOPIC), int32(1), int16(1), EMPTY, EMPTY), TIMEOUT, TRUE),
    codeAfter(throttle, single, name),
  ],
  [
    ...([20, 'DeleteTopics', 1] as const),
    bytes(one(string(ABSENT_TOPIC)), TIMEOUT),
    codeAfter(throttle, single, name),
    UNKNOWN_TOPIC_OR_PARTITION,
  ],
  [
    ...([21, 'DeleteRecords', 0] as const),
    bytes(ofTopic(int64(0n)), TIMEOUT),
    codeAfter(throttle, ...onePartition, int64Field),
  ],
  [
    ...([32, 'DescribeConfigs', 1] as const),
    bytes(one(TOPIC_RESOURCE, string(TOPIC), NO_ARRAY), FALSE),
    codeAfter(throttle, single),
  ],
  [
    ...([33, 'AlterConfigs', 0] as const),
    bytes(one(TOPIC_RESOURCE, string(TOPIC), one(string('retention.ms'), string('86400000'))), FALSE),
    codeAfter(throttle, single),
  ],
  [
    ...([37, 'CreatePartitions', 0] as const),
    bytes(one(string(TOPIC), int32(TOPIC_PARTITIONS + 1), NO_ARRAY), TIMEOUT, TRUE),
    codeAfter(throttle, single, name),
  ],
  [
    ...([44, 'IncrementalAlterConfigs', 0] as const),
    bytes(one(TOPIC_RESOURCE, string(TOPIC), one(string('retention.ms'), byte(0), string('86400000'))), FALSE),
    codeAfter(throttle, single),
  ],
];

const groupRows: Row[] = [
  [
    ...([8, 'OffsetCommit', 2] as const),
    bytes(string(GROUP), int32(-1), string(''), int64(-1n), ofTopic(int64(0n), NO_STRING)),
    codeAfter(...onePartition),
  ],
  [
    ...([9, 'OffsetFetch', 2] as const),
    bytes(string(GROUP), one(string(TOPIC), one(PARTITION))),
    codeAfter((answer) =>
      answer.array(() => [
        answer.string(),
        answer.array(() => [answer.int32(), answer.int64(), answer.string(), answer.int16()]),
      ]),
    ),
  ],
  [10, 'FindCoordinator', 0, string(GROUP), codeAfter()],
  [
    ...([11, 'JoinGroup', 4] as const),
    bytes(
      ...[string('matrix-joins'), int32(10_000), int32(10_000), string(''), string('consumer')],
      one(string('range'), EMPTY),
    ),
    codeAfter(throttle),
    MEMBER_ID_REQUIRED,
  ],
  [12, 'Heartbeat', 0, bytes(string(GROUP), int32(1), string('nobody')), codeAfter(), UNKNOWN_MEMBER_ID],
  [13, 'LeaveGroup', 0, bytes(string(GROUP), string('nobody')), codeAfter(), UNKNOWN_MEMBER_ID],
  [14, 'SyncGroup', 0, bytes(string(GROUP), int32(1), string('nobody'), EMPTY), codeAfter(), UNKNOWN_MEMBER_ID],
  [15, 'DescribeGroups', 0, one(string(GROUP)), codeAfter(single)],
  [42, 'DeleteGroups', 0, one(string(ABSENT_GROUP)), codeAfter(throttle, single, name), GROUP_ID_NOT_FOUND],
  // The other partition, which has no offset to delete.
  [47, 'OffsetDelete', 0, bytes(string(GROUP), one(string(TOPIC), one(int32(1)))), codeAfter()],
];

/** A transactional id that nobody uses, with a producer id and its epoch. */
const PRODUCER = bytes(int64(1n), int16(0));
const TRANSACTION = bytes(string(ABSENT_TRANSACTION), PRODUCER);

const transactionRows: Row[] = [
  [
    ...([24, 'AddPartitionsToTxn', 0] as const),
    bytes(TRANSACTION, ofTopic()),
    codeAfter(throttle, ...onePartition),
    INVALID_PRODUCER_ID_MAPPING,
  ],
  [25, 'AddOffsetsToTxn', 0, bytes(TRANSACTION, string(GROUP)), codeAfter(throttle), INVALID_PRODUCER_ID_MAPPING],
  [26, 'EndTxn', 0, bytes(TRANSACTION, FALSE), codeAfter(throttle), INVALID_PRODUCER_ID_MAPPING],
  [
    ...([28, 'TxnOffsetCommit', 0] as const),
    bytes(string(ABSENT_TRANSACTION), string(GROUP), PRODUCER, ofTopic(int64(0n), NO_STRING)),
    codeAfter(throttle, ...onePartition),
    INVALID_PRODUCER_ID_MAPPING,
  ],
];

const ACL = bytes(string(NEW_TOPIC), byte(3), string('User:nobody-else'), string('*'), byte(3), byte(3));

const clusterRows: Row[] = [
  [22, 'InitProducerId', 0, bytes(NO_STRING, int32(1_000)), codeAfter(throttle)],
  [29, 'DescribeAcls', 1, bytes(ANY, NO_STRING, ANY, NO_STRING, NO_STRING, ANY, ANY), codeAfter(throttle)],
  [30, 'CreateAcls', 1, one(TOPIC_RESOURCE, ACL), codeAfter(throttle, single)],
  [
    ...([31, 'DeleteAcls', 1] as const),
    one(ANY, NO_STRING, ANY, string('User:absent'), NO_STRING, ANY, ANY),
    codeAfter(throttle, single),
  ],
  [
    ...([34, 'AlterReplicaLogDirs', 1] as const),
    one(string('/absent'), one(string(TOPIC), one(PARTITION))),
    codeAfter(throttle, ...onePartition),
    LOG_DIR_NOT_FOUND,
  ],
  [43, 'ElectLeaders', 1, bytes(byte(0), ofTopic(), TIMEOUT), codeAfter(throttle)],
  [48, 'DescribeClientQuotas', 0, bytes(EMPTY, FALSE), codeAfter(throttle)],
  [
    ...([49, 'AlterClientQuotas', 0] as const),
    bytes(one(one(string('user'), string('absent')), one(string('producer_byte_rate'), int64(0n), TRUE)), TRUE),
    codeAfter(throttle, single),
  ],
];

/** Versions with compact lengths and tagged fields: these APIs have no others. */
const compactText = (text: string): Buffer => bytes(byte(text.length + 1), Buffer.from(text));
const NO_TAGS = byte(0);
const [COMPACT_EMPTY, COMPACT_ONE] = [byte(1), byte(2)];
const COMPACT_NULL = byte(0);
const NO_STRUCT = byte(0xff);
const METADATA_PARTITION = bytes(
  ...[COMPACT_ONE, compactText('__cluster_metadata')],
  ...[COMPACT_ONE, PARTITION, NO_TAGS, NO_TAGS],
);

const flexibleRows: Row[] = [
  // All users, as an empty list: Apache Kafka never answers null to a client without the right.
  [50, 'DescribeUserScramCredentials', 0, bytes(COMPACT_EMPTY, NO_TAGS), codeAfter(throttle)],
  [
    ...([51, 'AlterUserScramCredentials', 0] as const),
    bytes(COMPACT_ONE, compactText('absent'), byte(1), NO_TAGS, COMPACT_EMPTY, NO_TAGS),
    codeAfter(throttle, compactSingle, compactName),
    RESOURCE_NOT_FOUND,
  ],
  [35, 'DescribeLogDirs', 3, bytes(COMPACT_EMPTY, NO_TAGS), codeAfter(throttle)],
  [45, 'AlterPartitionReassignments', 0, bytes(TIMEOUT, COMPACT_EMPTY, NO_TAGS), codeAfter(throttle)],
  [46, 'ListPartitionReassignments', 0, bytes(TIMEOUT, COMPACT_NULL, NO_TAGS), codeAfter(throttle)],
  [55, 'DescribeQuorum', 0, bytes(METADATA_PARTITION, NO_TAGS), codeAfter()],
  [57, 'UpdateFeatures', 0, bytes(TIMEOUT, COMPACT_EMPTY, NO_TAGS), codeAfter(throttle)],
  [74, 'ListConfigResources', 0, NO_TAGS, codeAfter(throttle)],
];

const flexibleGroupRows: Row[] = [
  [
    ...([68, 'ConsumerGroupHeartbeat', 0] as const),
    bytes(
      ...[compactText(ABSENT_GROUP), compactText('nobody'), int32(1), COMPACT_NULL, COMPACT_NULL, int32(-1)],
      ...[COMPACT_NULL, COMPACT_NULL, COMPACT_NULL, NO_TAGS],
    ),
    codeAfter(throttle),
    GROUP_ID_NOT_FOUND,
  ],
  [
    ...([69, 'ConsumerGroupDescribe', 0] as const),
    bytes(COMPACT_ONE, compactText(ABSENT_GROUP), FALSE, NO_TAGS),
    codeAfter(throttle, compactSingle),
    GROUP_ID_NOT_FOUND,
  ],
];

const flexibleTopicRows: Row[] = [
  [
    ...([75, 'DescribeTopicPartitions', 0] as const),
    bytes(COMPACT_ONE, compactText(TOPIC), NO_TAGS, int32(10), NO_STRUCT, NO_TAGS),
    codeAfter(throttle, compactSingle),
  ],
];

/** Rows of a feature that is disabled for everyone. */
const tokenRows: Row[] = [
  [38, 'CreateDelegationToken', 1, bytes(EMPTY, int64(1_000n)), codeAfter(), DELEGATION_TOKEN_AUTH_DISABLED],
  [39, 'RenewDelegationToken', 1, bytes(EMPTY, int64(1_000n)), codeAfter(), DELEGATION_TOKEN_AUTH_DISABLED],
  [40, 'ExpireDelegationToken', 1, bytes(EMPTY, int64(1_000n)), codeAfter(), DELEGATION_TOKEN_AUTH_DISABLED],
  [41, 'DescribeDelegationToken', 1, NO_ARRAY, codeAfter(), DELEGATION_TOKEN_AUTH_DISABLED],
];

const NO_INSTANCE = Buffer.alloc(16);
const telemetryRows: Row[] = [
  [71, 'GetTelemetrySubscriptions', 0, bytes(NO_INSTANCE, NO_TAGS), codeAfter(throttle)],
  [
    ...([72, 'PushTelemetry', 0] as const),
    bytes(NO_INSTANCE, int32(0), FALSE, byte(0), COMPACT_EMPTY, NO_TAGS),
    codeAfter(throttle),
    INVALID_REQUEST,
  ],
];

const compactOnePartition: Step[] = [compactSingle, compactName, compactSingle, int32Field];
const compactTopic = (topic: string): Buffer => bytes(COMPACT_ONE, compactText(topic), COMPACT_ONE, PARTITION, NO_TAGS);

const flexibleMarkerRows: Row[] = [
  [
    ...([27, 'WriteTxnMarkers', 1] as const),
    bytes(COMPACT_ONE, PRODUCER, FALSE, compactTopic(ABSENT_TOPIC), int32(0), NO_TAGS, NO_TAGS),
    codeAfter(compactSingle, int64Field, ...compactOnePartition),
    UNKNOWN_TOPIC_OR_PARTITION,
  ],
];

const producerRows: Row[] = [
  [
    ...([61, 'DescribeProducers', 0] as const),
    bytes(compactTopic(TOPIC), NO_TAGS),
    codeAfter(throttle, ...compactOnePartition),
  ],
];

const flexibleTransactionRows: Row[] = [
  [
    ...([65, 'DescribeTransactions', 0] as const),
    bytes(COMPACT_ONE, compactText(ABSENT_TRANSACTION), NO_TAGS),
    codeAfter(throttle, compactSingle),
    TRANSACTIONAL_ID_NOT_FOUND,
  ],
];

/** Shows everyone the transactional ids that it may describe; here there are none. */
const listTransactions: Row = [
  ...([66, 'ListTransactions', 0] as const),
  bytes(COMPACT_EMPTY, COMPACT_EMPTY, NO_TAGS),
  codeAfter(throttle),
];

const showing: Api[] = [
  {
    key: 16,
    name: 'ListGroups',
    version: 0,
    body: Buffer.alloc(0),
    read: (answer) => {
      answer.int16();
      const groups = answer.array(() => [answer.string(), answer.string()]);
      return groups.some(([group]) => group === GROUP) ? SHOWN : HIDDEN;
    },
    denied: HIDDEN,
    allowed: SHOWN,
  },
  {
    key: 60,
    name: 'DescribeCluster',
    version: 0,
    isFlexible: true,
    body: bytes(TRUE, NO_TAGS),
    read: (answer) => {
      answer.int32(); // throttle time
      answer.int16();
      answer.compactString(); // message
      answer.compactString(); // cluster id
      answer.int32(); // controller
      answer.compactArray(() => {
        answer.int32();
        answer.compactString(); // host
        answer.int32();
        answer.compactString(); // rack
        answer.bytes(1); // tags
      });
      return answer.int32() === 0 ? HIDDEN : SHOWN;
    },
    denied: HIDDEN,
    allowed: SHOWN,
  },
];

function apis(rows: Row[], denied: number, isFlexible = false): Api[] {
  return rows.map(([key, label, version, body, read, allowed = NONE]) => ({
    ...{ key, name: label, version, body, read, denied, allowed, isFlexible },
  }));
}

/** An API that asks for no right: the outcome with the right is the outcome without it. */
function sameForAll(api: Api): Api {
  return { ...api, denied: api.allowed };
}

/** In an order in which each finds what the ones before it left. */
export const APIS: readonly Api[] = [
  ...apis(dataRows, TOPIC_DENIED),
  ...apis(topicRows, TOPIC_DENIED),
  ...apis(groupRows, GROUP_DENIED),
  ...apis(clusterRows, CLUSTER_DENIED),
  ...apis(transactionRows, TRANSACTION_DENIED),
  ...apis([...flexibleRows, ...flexibleMarkerRows], CLUSTER_DENIED, true),
  ...apis(flexibleGroupRows, GROUP_DENIED, true),
  ...apis([...flexibleTopicRows, ...producerRows], TOPIC_DENIED, true),
  ...apis(flexibleTransactionRows, TRANSACTION_DENIED, true),
  ...apis([listTransactions], NONE, true),
  ...apis(tokenRows, NONE).map(sameForAll),
  ...apis(telemetryRows, NONE, true).map(sameForAll),
  ...showing,
];
