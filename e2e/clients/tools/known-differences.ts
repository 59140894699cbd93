// What tools print differently on Penstock, and why. Everything else that differs is a fault.
import type { Differing } from './compare.ts';

export interface KnownDifference {
  /** A sentence that a user understands. */
  reason: string;
  /** Matches the names of cases. */
  cases: RegExp;
  /** Lines that only Kafka prints. */
  kafka?: readonly RegExp[];
  /** Lines that only Penstock prints. */
  penstock?: readonly RegExp[];
}

const FAILS = [/^exit: 1$/, /^err: Error while executing config command with args/];
const SUCCEEDS = [/^exit: 0$/, /^out: Completed updating (default )?config for /];

/** An error that both report in different words. */
function inOwnWords(cases: RegExp, kafka: RegExp, penstock: RegExp): KnownDifference {
  return { reason: 'Penstock says it in its own words.', cases, kafka: [kafka], penstock: [penstock] };
}

/** Kafka does it, and Penstock refuses with an error that matches. */
function refused(reason: string, cases: RegExp, error: RegExp, ...done: RegExp[]): KnownDifference {
  return { reason, cases, kafka: [...SUCCEEDS, ...done], penstock: [...FAILS, error] };
}

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    reason: 'Penstock keeps committed offsets in its metadata service. There is no topic __consumer_offsets.',
    cases: /^kafka-(topics --(list|create --topic __consumer_offsets)|get-offsets$)/,
    kafka: [/^out: __consumer_offsets/, /: Topic '__consumer_offsets' already exists\.$/],
    penstock: [/: Creation of internal topic __consumer_offsets is prohibited\.$/],
  },
  {
    reason: 'Any replication factor is accepted: each partition has one replica, and object storage replicates.',
    cases: /^kafka-topics --(create --topic three|list)/,
    kafka: [/^out: Error while executing topic command : Unable to replicate/, /^exit: 1$/],
    penstock: [/^out: (Created topic )?three/, /^exit: 0$/],
  },
  {
    reason: 'A topic that asked for three replicas shows the one that each of its partitions has.',
    cases: /^kafka-topics --describe (--topic three$|--topics-with-overrides)/,
    kafka: [/Topic 'three' does not exist as expected/, /^exit: 1$/],
    penstock: [
      /^out: Topic: three TopicId: <topic-id> PartitionCount: 1 ReplicationFactor: 1 Configs: min\.insync\.replicas=1$/,
      /^out: Topic: three Partition: 0 Leader: \d+ Replicas: \d+ Isr: \d+ /,
      /^exit: 0$/,
    ],
  },
  {
    reason:
      'Penstock shows the default of every topic config as a synonym. Kafka shows none if the broker has it in another unit or not at all.',
    cases: /^kafka-configs --entity-type topics .*--describe/,
    kafka: [
      /^out: (flush\.ms|(follower|leader)\.replication\.throttled\.replicas|remote\.\S+|retention\.ms|segment(\.jitter)?\.ms)=/,
    ],
    penstock: [
      /^out: (flush\.ms|(follower|leader)\.replication\.throttled\.replicas|remote\.\S+|retention\.ms|segment(\.jitter)?\.ms)=.*DEFAULT_CONFIG:/,
    ],
  },
  {
    reason:
      'Configs of tiered storage are accepted and have no effect, so that topics of clusters that have it can be copied.',
    cases: /remote\.storage\.enable=true|^kafka-configs --entity-type topics --entity-name configured --describe$/,
    kafka: [...FAILS, /Tiered Storage functionality is disabled in the broker/],
    penstock: [...SUCCEEDS, /^out: remote\.storage\.enable=true/],
  },
  inOwnWords(
    /^kafka-topics --create/,
    /: Topic name is invalid: 'not\/a\/topic'/,
    /: invalid topic name 'not\/a\/topic'/,
  ),
  inOwnWords(
    /^kafka-topics --create --topic misassigned/,
    /: The manual partition assignment includes broker 7/,
    /: The assignment names broker 7, which does not exist\.$/,
  ),
  inOwnWords(
    /^kafka-topics --alter --topic orders/,
    /: (Topic already has 5 partition\(s\)|The topic orders currently has 5 partition\(s\))/,
    /: Topic 'orders' (already has 5 partitions|has 5 partitions, which is more than the requested 2)\.$/,
  ),
  inOwnWords(
    /^kafka-configs --entity-type topics .* --add-config/,
    /InvalidConfigurationException: (Invalid value \S+ for configuration (\S+):|Unknown topic config name: no\.such\.config)/,
    /InvalidConfigurationException: (Invalid value "\S+" for \S+: expected|Unknown topic config name: no\.such\.config\.)/,
  ),
  inOwnWords(
    /^kafka-configs --group configured-group .* --add-config/,
    /InvalidConfigurationException: consumer\.session\.timeout\.ms must be greater than or equal to group\.consumer\.min\./,
    /InvalidConfigurationException: Invalid value for configuration consumer\.session\.timeout\.ms: expected \d+ to \d+\.$/,
  ),
  inOwnWords(
    /^kafka-configs --topic absent --alter/,
    /UnknownTopicOrPartitionException: The topic 'absent' does not exist/,
    /UnknownTopicOrPartitionException: Topic 'absent' does not exist/,
  ),
  inOwnWords(
    /^kafka-leader-election/,
    /UnknownTopicOrPartitionException: No such (topic|partition) as /,
    /UnknownTopicOrPartitionException: cannot find partition /,
  ),
  inOwnWords(
    /^kafka-configs --user alice .*producer_byte_rate=-5/,
    /InvalidRequestException: Quota producer_byte_rate must be greater than 0/,
    /InvalidRequestException: producer_byte_rate must be greater than 0\./,
  ),
  {
    reason: 'An agent shows those broker configs that clients and tools ask for. Brokers of Kafka have some 300.',
    cases: /^kafka-configs --broker 1 --describe --all$/,
    kafka: [/^out: [a-z0-9._]+=.* sensitive=(true|false) synonyms=/],
    penstock: [/^out: [a-z0-9._]+=.* sensitive=false synonyms=\{(STATIC_BROKER|DEFAULT)_CONFIG:/],
  },
  refused(
    'Broker configs cannot be changed: a cluster’s settings are on its page.',
    /^kafka-configs --broker(-defaults| 1) --alter --add-config/,
    /InvalidRequestException: broker configs cannot be changed/,
  ),
  {
    reason: 'Agents have no loggers that a client could set.',
    cases: /^kafka-configs --broker-logger/,
    kafka: [
      /^out: .*=(ERROR|WARN|INFO|DEBUG|TRACE|OFF) sensitive=false/,
      /^out: Dynamic configs for broker-logger/,
      /^err: Invalid broker logger/,
      /^exit: 0$/,
    ],
    penstock: [...FAILS, /InvalidRequestException: only topics, brokers, groups and client metrics have configs/],
  },
  refused(
    'There are no quotas of controller mutations.',
    /controller_mutation_rate=10$/,
    /InvalidRequestException: There are no quotas of 'controller_mutation_rate'/,
  ),
  {
    ...refused(
      'There are no quotas of addresses.',
      /^kafka-configs --(ip|entity-type ips)/,
      /InvalidRequestException: quotas of addresses are not supported/,
    ),
    kafka: [...SUCCEEDS, /^out: Quota configs for ip '10\.0\.0\.1'/],
  },
  {
    reason: 'There are no quotas of controller mutations.',
    cases: /^kafka-configs --entity-type users --describe/,
    kafka: [/^out: Quota configs for user-principal 'bob' are controller_mutation_rate=10\.0$/],
  },
  {
    reason: 'Share groups (KIP-932) are not supported.',
    cases: /^kafka-(share|console-share|verifiable-share)/,
    kafka: [
      /GroupIdNotFoundException: Group absent not found/,
      /^out: WARNING: Exiting before/,
      /^out: <time>/,
      /^exit: (0|late)$/,
    ],
    penstock: [/UnsupportedVersionException: .*share.?group/i, /^exit: [01]$/, /"name":"shutdown_complete"/],
  },
  {
    reason: 'Groups of Kafka Streams’ own protocol (KIP-1071) are not supported. Streams uses the classic one.',
    cases: /^kafka-streams-groups/,
    kafka: [/GroupIdNotFoundException: Group absent not found/],
    penstock: [/UnsupportedVersionException: The node does not support STREAMS_GROUP_DESCRIBE/],
  },
  {
    reason:
      'APIs of share groups, except those of share consumers, of Streams groups, and of Kafka’s own controllers and brokers are not announced.',
    cases: /^kafka-broker-api-versions/,
    kafka: [
      /^out: (\w*Share\w*|StreamsGroup\w+|(Add|Remove)RaftVoter|UnregisterBroker)\(\d+\): \d/,
      // Version 18 adds a field that only followers send.
      /^out: Fetch\(1\): 4 to 18 /,
    ],
    penstock: [
      /^out: (\w*Share\w*|StreamsGroup\w+|(Add|Remove)RaftVoter|UnregisterBroker)\(\d+\): UNSUPPORTED/,
      /^out: Fetch\(1\): 4 to 17 /,
    ],
  },
  {
    reason:
      'Agents receive the metrics that clients push. A Kafka broker announces this only with a metrics receiver installed.',
    cases: /^kafka-broker-api-versions/,
    kafka: [/^out: (GetTelemetrySubscriptions|PushTelemetry)\(\d+\): UNSUPPORTED/],
    penstock: [/^out: (GetTelemetrySubscriptions|PushTelemetry)\(\d+\): 0 /],
  },
  {
    reason: 'Agents come and go by themselves: none is registered that could be removed.',
    cases: /^kafka-cluster unregister/,
    kafka: [/BrokerIdNotRegisteredException: Broker ID 9 is not currently registered/, /^exit: 1$/],
    penstock: [/^out: The target cluster does not support the broker unregistration API\.$/, /^exit: 0$/],
  },
  {
    reason: 'There is no log of controllers: its epoch and offsets are 0.',
    cases: /^kafka-metadata-quorum describe/,
    kafka: [/^out: (LeaderEpoch|HighWatermark): \d+$/, /^out: 1 A{22} \d+ 0 .* Leader$/],
    penstock: [/^out: (LeaderEpoch|HighWatermark): 0$/, /^out: 1 A{22} 0 0 .* Leader$/],
  },
  inOwnWords(
    /^kafka-metadata-quorum remove-controller/,
    /UnsupportedVersionException: Cluster doesn't support removing voter/,
    /UnsupportedVersionException: The node does not support REMOVE_RAFT_VOTER/,
  ),
  {
    reason: 'Features of Kafka’s brokers and controllers, of share groups and of Streams groups do not exist here.',
    cases: /^kafka-features describe/,
    kafka: [/^out: Feature: (eligible\.leader\.replicas|kraft|metadata|share|streams)\.version /],
  },
  inOwnWords(
    /^kafka-features (upgrade|downgrade|disable)/,
    /^out: .*Invalid update version \d+ for feature /,
    /^out: .*Invalid update version \d+ for feature .* The features of a Penstock cluster cannot be changed by clients\./,
  ),
  {
    reason:
      '`kafka-transactions abort` aborts the transaction as a whole and fences its producer. Kafka aborts it in one partition.',
    cases: /^open-transaction commit$|^kafka-get-offsets --topic ledger/,
    kafka: [/^out: committed$/],
    penstock: [/^out: (InvalidTxnStateException|ProducerFencedException)$/],
  },
  {
    reason:
      'A forced end raises the epoch of the producer by one. Kafka raises it once more when the transaction has ended.',
    cases: /describe --transactional-id bills$/,
    kafka: [/^out: 1 bills <producer> 2 Empty /],
    penstock: [/^out: 1 bills <producer> 1 Empty /],
  },
  {
    reason: 'There are no coordinators that change, so their epoch is always -1.',
    cases: /describe-producers --topic ledger/,
    kafka: [/^out: <producer> \d+ 0 0 <ms> None$/],
    penstock: [/^out: <producer> \d+ -1 0 <ms> None$/],
  },
];

export interface Judged {
  /** The listed differences that were found. */
  reasons: Set<KnownDifference>;
  /** Lines that no listed difference explains. */
  unlisted: string[];
}

/** Explains each line of a difference by the table. */
export function judge(
  name: string,
  differing: Differing,
  known: readonly KnownDifference[] = KNOWN_DIFFERENCES,
): Judged {
  const judged: Judged = { reasons: new Set(), unlisted: [] };
  const applicable = known.filter(({ cases }) => cases.test(name));
  const explain = (side: 'kafka' | 'penstock', title: string): void => {
    for (const line of differing[side]) {
      const reason = applicable.find((difference) => difference[side]?.some((pattern) => pattern.test(line)));
      if (reason === undefined) {
        judged.unlisted.push(`${title} only: ${line}`);
      } else {
        judged.reasons.add(reason);
      }
    }
  };
  explain('kafka', 'Kafka');
  explain('penstock', 'Penstock');
  return judged;
}
