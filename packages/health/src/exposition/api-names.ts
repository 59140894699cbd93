// Names of Kafka's APIs by API key: https://kafka.apache.org/protocol#protocol_api_keys
const names: Readonly<Record<number, string>> = {
  0: 'Produce',
  1: 'Fetch',
  2: 'ListOffsets',
  3: 'Metadata',
  8: 'OffsetCommit',
  9: 'OffsetFetch',
  10: 'FindCoordinator',
  11: 'JoinGroup',
  12: 'Heartbeat',
  13: 'LeaveGroup',
  14: 'SyncGroup',
  15: 'DescribeGroups',
  16: 'ListGroups',
  18: 'ApiVersions',
  19: 'CreateTopics',
  20: 'DeleteTopics',
  21: 'DeleteRecords',
  22: 'InitProducerId',
  23: 'OffsetForLeaderEpoch',
  29: 'DescribeAcls',
  30: 'CreateAcls',
  31: 'DeleteAcls',
  32: 'DescribeConfigs',
  33: 'AlterConfigs',
  37: 'CreatePartitions',
  42: 'DeleteGroups',
  44: 'IncrementalAlterConfigs',
  47: 'OffsetDelete',
  48: 'DescribeClientQuotas',
  49: 'AlterClientQuotas',
  50: 'DescribeUserScramCredentials',
  51: 'AlterUserScramCredentials',
  60: 'DescribeCluster',
};

/** An API without a name here is shown by its number. */
export function apiName(apiKey: number): string {
  return names[apiKey] ?? `api_${apiKey}`;
}
