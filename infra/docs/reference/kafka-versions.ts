// The APIs of Apache Kafka 4.3.1, as a broker with default settings announces them, and why ours differ. A running broker is compared with
// this list by `node e2e/clients/access/compare-with-kafka.ts`.

/** Key, name, oldest and newest version. */
export const KAFKA_APIS: readonly (readonly [key: number, name: string, oldest: number, newest: number])[] = [
  [0, 'Produce', 0, 13],
  [1, 'Fetch', 4, 18],
  [2, 'ListOffsets', 1, 11],
  [3, 'Metadata', 0, 13],
  [8, 'OffsetCommit', 2, 10],
  [9, 'OffsetFetch', 1, 10],
  [10, 'FindCoordinator', 0, 6],
  [11, 'JoinGroup', 0, 9],
  [12, 'Heartbeat', 0, 4],
  [13, 'LeaveGroup', 0, 5],
  [14, 'SyncGroup', 0, 5],
  [15, 'DescribeGroups', 0, 6],
  [16, 'ListGroups', 0, 5],
  [17, 'SaslHandshake', 0, 1],
  [18, 'ApiVersions', 0, 4],
  [19, 'CreateTopics', 2, 7],
  [20, 'DeleteTopics', 1, 6],
  [21, 'DeleteRecords', 0, 2],
  [22, 'InitProducerId', 0, 5],
  [23, 'OffsetForLeaderEpoch', 2, 4],
  [24, 'AddPartitionsToTxn', 0, 5],
  [25, 'AddOffsetsToTxn', 0, 4],
  [26, 'EndTxn', 0, 5],
  [27, 'WriteTxnMarkers', 1, 2],
  [28, 'TxnOffsetCommit', 0, 5],
  [29, 'DescribeAcls', 1, 3],
  [30, 'CreateAcls', 1, 3],
  [31, 'DeleteAcls', 1, 3],
  [32, 'DescribeConfigs', 1, 4],
  [33, 'AlterConfigs', 0, 2],
  [34, 'AlterReplicaLogDirs', 1, 2],
  [35, 'DescribeLogDirs', 1, 5],
  [36, 'SaslAuthenticate', 0, 2],
  [37, 'CreatePartitions', 0, 3],
  [38, 'CreateDelegationToken', 1, 3],
  [39, 'RenewDelegationToken', 1, 2],
  [40, 'ExpireDelegationToken', 1, 2],
  [41, 'DescribeDelegationToken', 1, 3],
  [42, 'DeleteGroups', 0, 2],
  [43, 'ElectLeaders', 0, 2],
  [44, 'IncrementalAlterConfigs', 0, 1],
  [45, 'AlterPartitionReassignments', 0, 1],
  [46, 'ListPartitionReassignments', 0, 0],
  [47, 'OffsetDelete', 0, 0],
  [48, 'DescribeClientQuotas', 0, 1],
  [49, 'AlterClientQuotas', 0, 1],
  [50, 'DescribeUserScramCredentials', 0, 0],
  [51, 'AlterUserScramCredentials', 0, 0],
  [55, 'DescribeQuorum', 0, 2],
  [57, 'UpdateFeatures', 0, 2],
  [60, 'DescribeCluster', 0, 2],
  [61, 'DescribeProducers', 0, 0],
  [64, 'UnregisterBroker', 0, 0],
  [65, 'DescribeTransactions', 0, 0],
  [66, 'ListTransactions', 0, 2],
  [68, 'ConsumerGroupHeartbeat', 0, 1],
  [69, 'ConsumerGroupDescribe', 0, 1],
  [74, 'ListConfigResources', 0, 1],
  [75, 'DescribeTopicPartitions', 0, 0],
  [76, 'ShareGroupHeartbeat', 1, 1],
  [77, 'ShareGroupDescribe', 1, 1],
  [78, 'ShareFetch', 1, 2],
  [79, 'ShareAcknowledge', 1, 2],
  [80, 'AddRaftVoter', 0, 1],
  [81, 'RemoveRaftVoter', 0, 0],
  [83, 'InitializeShareGroupState', 0, 0],
  [84, 'ReadShareGroupState', 0, 0],
  [85, 'WriteShareGroupState', 0, 1],
  [86, 'DeleteShareGroupState', 0, 0],
  [87, 'ReadShareGroupStateSummary', 0, 1],
  [88, 'StreamsGroupHeartbeat', 0, 0],
  [89, 'StreamsGroupDescribe', 0, 0],
  [90, 'DescribeShareGroupOffsets', 0, 1],
  [91, 'AlterShareGroupOffsets', 0, 0],
  [92, 'DeleteShareGroupOffsets', 0, 0],
];

const SHARE_CONSUMERS =
  'Share groups are not supported: announced, as by Kafka, and answered with UNSUPPORTED_VERSION, so that share consumers end with an error.';
const SHARE_GROUPS = 'Share groups are not supported: answered with UNSUPPORTED_VERSION.';
const STREAMS_GROUPS =
  'Streams groups are not supported: answered with UNSUPPORTED_VERSION. Keep group.protocol of Kafka Streams at classic.';
const SHARE_STATE = 'Brokers of Kafka send it to each other. Answered with UNSUPPORTED_VERSION.';
const METRICS_RECEIVER =
  'Kafka announces it only with a metrics receiver installed. Agents are one: what clients push is shown in the dashboard.';
const NO_QUORUM = 'There are no brokers or voters that a client could remove or add.';

interface Versions {
  oldest: number;
  newest: number;
}

export interface ComparedApi {
  key: number;
  name: string;
  /** The served versions, or null. */
  versions: Versions | null;
  /** Null: a broker of Kafka does not announce it. */
  kafka: Versions | null;
  /** Why the two differ; empty where they do not. */
  difference: string;
}

/** All APIs of Kafka and of the agent, by key. @throws Error when nothing says why an API differs */
export function compareWithKafka(served: readonly (Versions & { key: number; name: string })[]): ComparedApi[] {
  const ours = new Map(served.map(({ key, name, oldest, newest }) => [key, { name, oldest, newest }]));
  const theirs = new Map(KAFKA_APIS.map(([key, name, oldest, newest]) => [key, { name, oldest, newest }]));
  return [...new Set([...ours.keys(), ...theirs.keys()])]
    .sort((a, b) => a - b)
    .map((key) => {
      const [versions, kafka] = [versionsOf(ours.get(key)), versionsOf(theirs.get(key))];
      const name = ours.get(key)?.name ?? theirs.get(key)?.name ?? '';
      const isSame = versions?.oldest === kafka?.oldest && versions?.newest === kafka?.newest;
      const difference = isSame ? '' : DIFFERENCES[name];
      if (difference === undefined) {
        throw new Error(`kafka-versions.ts does not say why ${name} differs from Kafka's`);
      }
      return { key, name, versions, kafka, difference };
    });
}

function versionsOf(versions: Versions | undefined): Versions | null {
  return versions === undefined ? null : { oldest: versions.oldest, newest: versions.newest };
}

/** Why an API has other versions here, or none. Hardly any client sends an API that is not announced. */
export const DIFFERENCES: Readonly<Record<string, string>> = {
  Produce: 'Versions 0 to 2 are announced, as by Kafka, and refused, as by Kafka.',
  Fetch: 'Version 18 adds a field that only replicas send.',
  UnregisterBroker: NO_QUORUM,
  GetTelemetrySubscriptions: METRICS_RECEIVER,
  PushTelemetry: METRICS_RECEIVER,
  ShareGroupHeartbeat: SHARE_CONSUMERS,
  ShareGroupDescribe: SHARE_GROUPS,
  ShareFetch: SHARE_CONSUMERS,
  ShareAcknowledge: SHARE_CONSUMERS,
  AddRaftVoter: NO_QUORUM,
  RemoveRaftVoter: NO_QUORUM,
  InitializeShareGroupState: SHARE_STATE,
  ReadShareGroupState: SHARE_STATE,
  WriteShareGroupState: SHARE_STATE,
  DeleteShareGroupState: SHARE_STATE,
  ReadShareGroupStateSummary: SHARE_STATE,
  StreamsGroupHeartbeat: STREAMS_GROUPS,
  StreamsGroupDescribe: STREAMS_GROUPS,
  DescribeShareGroupOffsets: SHARE_GROUPS,
  AlterShareGroupOffsets: SHARE_GROUPS,
  DeleteShareGroupOffsets: SHARE_GROUPS,
};
