// kafka-topics, kafka-configs, and the tools that show and change what a topic holds.
import type { Scenario, ToolCase } from '../tool-case.ts';

const values = (count: number): string => [...Array(count).keys()].map((number) => `k${number}:v${number}\n`).join('');
const keyed = ['--reader-property', 'parse.key=true', '--reader-property', 'key.separator=:'];

/** Timestamps of records that both systems get. */
const WRITTEN_MS = Date.now();

/** Sizes depend on how records were batched. */
const LOG_DIR: ToolCase['hides'] = [
  [/"logDir":"[^"]*"/g, '"logDir":"<dir>"'],
  [/"size":[1-9]\d*/g, '"size":<bytes>'],
];

export const topics: Scenario = {
  name: 'topics',
  isFast: true,
  cases: [
    { tool: 'kafka-topics', args: ['--create', '--topic', 'orders', '--partitions', '3'] },
    { tool: 'kafka-topics', args: ['--create', '--topic', 'orders', '--partitions', '3'] },
    { tool: 'kafka-topics', args: ['--create', '--topic', 'orders', '--if-not-exists'] },
    { tool: 'kafka-topics', args: ['--create', '--topic', 'defaults'] },
    { tool: 'kafka-topics', args: ['--create', '--topic', 'not/a/topic'] },
    { tool: 'kafka-topics', args: ['--create', '--topic', 'or_ders.x'] },
    { tool: 'kafka-topics', args: ['--create', '--topic', 'or.ders_x'] },
    { tool: 'kafka-topics', args: ['--create', '--topic', 'three', '--partitions', '1', '--replication-factor', '3'] },
    { tool: 'kafka-topics', args: ['--create', '--topic', 'none', '--partitions', '0'] },
    { tool: 'kafka-topics', args: ['--create', '--topic', 'assigned', '--replica-assignment', '1,1'] },
    { tool: 'kafka-topics', args: ['--create', '--topic', 'misassigned', '--replica-assignment', '7,8'] },
    {
      tool: 'kafka-topics',
      args: ['--create', '--topic', 'compacted', '--config', 'cleanup.policy=compact', '--config', 'segment.ms=60000'],
    },
    { tool: 'kafka-topics', args: ['--create', '--topic', 'wrong', '--config', 'retention.ms=soon'] },
    { tool: 'kafka-topics', args: ['--create', '--topic', 'wrong', '--config', 'no.such.config=1'] },
    { tool: 'kafka-topics', args: ['--list'], isUnordered: true },
    { tool: 'kafka-topics', args: ['--list', '--exclude-internal'], isUnordered: true },
    { tool: 'kafka-topics', args: ['--describe', '--topic', 'orders'] },
    { tool: 'kafka-topics', args: ['--describe', '--topic', 'compacted'] },
    { tool: 'kafka-topics', args: ['--describe', '--topic', 'three'] },
    { tool: 'kafka-topics', args: ['--describe', '--topic', 'absent'] },
    { tool: 'kafka-topics', args: ['--describe', '--topic', 'absent', '--if-exists'] },
    { tool: 'kafka-topics', args: ['--describe', '--topic-id', 'AAAAAAAAAAAAAAAAAAAAAQ'] },
    { tool: 'kafka-topics', args: ['--describe', '--topics-with-overrides', '--exclude-internal'], isUnordered: true },
    { tool: 'kafka-topics', args: ['--describe', '--under-replicated-partitions'] },
    { tool: 'kafka-topics', args: ['--describe', '--unavailable-partitions'] },
    { tool: 'kafka-topics', args: ['--describe', '--under-min-isr-partitions'] },
    {
      tool: 'kafka-topics',
      args: ['--describe', '--at-min-isr-partitions', '--topic', 'orders'],
    },
    { tool: 'kafka-topics', args: ['--alter', '--topic', 'orders', '--partitions', '5'] },
    { tool: 'kafka-topics', args: ['--alter', '--topic', 'orders', '--partitions', '5'] },
    { tool: 'kafka-topics', args: ['--alter', '--topic', 'orders', '--partitions', '2'] },
    { tool: 'kafka-topics', args: ['--alter', '--topic', 'absent', '--partitions', '2'] },
    { tool: 'kafka-topics', args: ['--describe', '--topic', 'orders', '--partition-size-limit-per-response', '2'] },
    { tool: 'kafka-topics', args: ['--delete', '--topic', 'defaults'] },
    { tool: 'kafka-topics', args: ['--delete', '--topic', 'absent'] },
    { tool: 'kafka-topics', args: ['--delete', '--topic', 'absent', '--if-exists'] },
    { tool: 'kafka-topics', args: ['--delete', '--topic', '(three|misassigned)', '--if-exists'] },
    { tool: 'kafka-topics', args: ['--list', '--topic', 'def.*'] },
  ],
};

const topic = ['--entity-type', 'topics', '--entity-name', 'configured'];

export const configs: Scenario = {
  name: 'configs',
  isFast: true,
  cases: [
    { tool: 'kafka-topics', args: ['--create', '--topic', 'configured'] },
    { tool: 'kafka-configs', args: [...topic, '--alter', '--add-config', 'retention.ms=3600000'] },
    { tool: 'kafka-configs', args: [...topic, '--alter', '--add-config', 'cleanup.policy=[compact,delete]'] },
    { tool: 'kafka-configs', args: [...topic, '--describe'], isUnordered: true },
    { tool: 'kafka-configs', args: [...topic, '--describe', '--all'], isUnordered: true },
    { tool: 'kafka-configs', args: [...topic, '--alter', '--delete-config', 'retention.ms'] },
    { tool: 'kafka-configs', args: [...topic, '--alter', '--delete-config', 'never.set'] },
    { tool: 'kafka-configs', args: [...topic, '--describe'], isUnordered: true },
    { tool: 'kafka-configs', args: [...topic, '--alter', '--add-config', 'retention.ms=soon'] },
    { tool: 'kafka-configs', args: [...topic, '--alter', '--add-config', 'retention.ms=-2'] },
    { tool: 'kafka-configs', args: [...topic, '--alter', '--add-config', 'no.such.config=1'] },
    { tool: 'kafka-configs', args: [...topic, '--alter', '--add-config', 'remote.log.delete.on.disable=true'] },
    { tool: 'kafka-configs', args: [...topic, '--alter', '--add-config', 'remote.log.copy.disable=true'] },
    { tool: 'kafka-configs', args: [...topic, '--alter', '--add-config', 'remote.storage.enable=true'] },
    { tool: 'kafka-configs', args: [...topic, '--alter', '--add-config', 'cleanup.policy=shred'] },
    { tool: 'kafka-configs', args: [...topic, '--alter', '--add-config', 'compression.type=brotli'] },
    { tool: 'kafka-configs', args: [...topic, '--alter', '--add-config', 'min.insync.replicas=0'] },
    { tool: 'kafka-configs', args: ['--topic', 'absent', '--alter', '--add-config', 'retention.ms=1'] },
    { tool: 'kafka-configs', args: ['--topic', 'absent', '--describe'] },
    {
      tool: 'kafka-configs',
      args: [...topic, '--alter', '--add-config-file', '{file}'],
      file: 'max.message.bytes=2000000\nretention.bytes=1000000\n',
    },
    { tool: 'kafka-configs', args: [...topic, '--describe'], isUnordered: true },
  ],
};

/** Configs of what is not a topic. */
export const otherConfigs: Scenario = {
  name: 'other configs',
  cases: [
    { tool: 'kafka-configs', args: ['--entity-type', 'topics', '--describe'], isUnordered: true },
    { tool: 'kafka-configs', args: ['--broker', '1', '--describe'], isUnordered: true },
    { tool: 'kafka-configs', args: ['--broker', '1', '--describe', '--all'], isUnordered: true },
    { tool: 'kafka-configs', args: ['--broker-defaults', '--describe'] },
    { tool: 'kafka-configs', args: ['--broker', '9', '--describe'] },
    { tool: 'kafka-configs', args: ['--broker', '1', '--alter', '--add-config', 'log.cleaner.threads=2'] },
    { tool: 'kafka-configs', args: ['--broker', '1', '--alter', '--delete-config', 'log.cleaner.threads'] },
    { tool: 'kafka-configs', args: ['--broker-defaults', '--alter', '--add-config', 'log.cleaner.threads=2'] },
    { tool: 'kafka-configs', args: ['--broker-defaults', '--alter', '--delete-config', 'log.cleaner.threads'] },
    { tool: 'kafka-configs', args: ['--broker-logger', '1', '--describe'], isUnordered: true },
    {
      tool: 'kafka-configs',
      args: ['--broker-logger', '1', '--alter', '--add-config', 'kafka.server.KafkaApis=INFO'],
    },
    { tool: 'kafka-configs', args: ['--group', 'configured-group', '--describe'], isUnordered: true },
    {
      tool: 'kafka-configs',
      args: ['--group', 'configured-group', '--alter', '--add-config', 'consumer.session.timeout.ms=50000'],
    },
    { tool: 'kafka-configs', args: ['--group', 'configured-group', '--describe'], isUnordered: true },
    {
      tool: 'kafka-configs',
      args: ['--group', 'configured-group', '--alter', '--add-config', 'consumer.session.timeout.ms=1'],
    },
    {
      tool: 'kafka-configs',
      args: ['--group', 'configured-group', '--alter', '--add-config', 'no.such.config=1'],
    },
    {
      tool: 'kafka-configs',
      args: ['--group', 'configured-group', '--alter', '--delete-config', 'consumer.session.timeout.ms'],
    },
    { tool: 'kafka-configs', args: ['--client-metrics', 'all', '--describe'] },
    { tool: 'kafka-configs', args: ['--client-metrics', 'all', '--alter', '--add-config', 'interval.ms=1000'] },
    { tool: 'kafka-configs', args: ['--client-metrics', 'all', '--alter', '--delete-config', 'interval.ms'] },
    { tool: 'kafka-client-metrics', args: ['--list'] },
    { tool: 'kafka-client-metrics', args: ['--describe'] },
    { tool: 'kafka-client-metrics', args: ['--describe', '--name', 'slow'] },
    {
      tool: 'kafka-client-metrics',
      args: ['--alter', '--name', 'slow', '--metrics', 'org.apache.kafka.producer.', '--interval', '60000'],
    },
    { tool: 'kafka-client-metrics', args: ['--list'] },
    { tool: 'kafka-client-metrics', args: ['--describe', '--name', 'slow'] },
    { tool: 'kafka-client-metrics', args: ['--delete', '--name', 'slow'] },
  ],
};

export const records: Scenario = {
  name: 'records',
  isFast: true,
  cases: [
    { tool: 'kafka-topics', args: ['--create', '--topic', 'filled', '--partitions', '1'] },
    { tool: 'kafka-topics', args: ['--create', '--topic', 'second', '--partitions', '2'] },
    { tool: 'kafka-console-producer', args: ['--topic', 'filled', ...keyed], input: values(50) },
    {
      tool: 'kafka-console-consumer',
      args: ['--topic', 'filled', '--from-beginning', '--max-messages', '50', '--timeout-ms', '20000'],
    },
    {
      tool: 'kafka-console-consumer',
      args: [
        ...['--topic', 'filled', '--partition', '0', '--offset', '47', '--timeout-ms', '3000'],
        ...['print.key=true', 'print.offset=true', 'print.partition=true', 'print.headers=true'].flatMap((property) => [
          '--formatter-property',
          property,
        ]),
      ],
    },
    { tool: 'kafka-get-offsets', args: [], isUnordered: true },
    ...['earliest', 'latest', 'earliest-local', 'latest-tiered', '0', '-1', '1999999999999'].map(
      (time) => ({ tool: 'kafka-get-offsets', args: ['--topic', 'filled', '--time', time] }) as const,
    ),
    { tool: 'kafka-get-offsets', args: ['--topic', 'filled', '--time', 'earliest-pending-upload'] },
    {
      tool: 'kafka-verifiable-producer',
      args: [
        '--topic',
        'second',
        '--max-messages',
        '6',
        '--repeating-keys',
        '3',
        '--message-create-time',
        String(WRITTEN_MS),
      ],
      isUnordered: true,
      hides: [
        [/"timestamp":\d+/g, '"timestamp":<ms>'],
        [/"avg_throughput":[^,}]*/g, '"avg_throughput":<any>'],
      ],
    },
    { tool: 'kafka-get-offsets', args: ['--topic', 'second', '--time', 'max-timestamp'] },
    { tool: 'kafka-get-offsets', args: ['--topic', 'second', '--time', String(WRITTEN_MS + 2)] },
    { tool: 'kafka-get-offsets', args: ['--topic-partitions', 'filled:0,second:1'] },
    { tool: 'kafka-get-offsets', args: ['--topic', 'second', '--partitions', '0,1', '--exclude-internal-topics'] },
    { tool: 'kafka-get-offsets', args: ['--topic', 'absent'] },
    {
      tool: 'kafka-delete-records',
      args: ['--offset-json-file', '{file}'],
      file: JSON.stringify({ partitions: [{ topic: 'filled', partition: 0, offset: 20 }], version: 1 }),
    },
    {
      tool: 'kafka-delete-records',
      args: ['--offset-json-file', '{file}'],
      file: JSON.stringify({ partitions: [{ topic: 'filled', partition: 0, offset: 999 }], version: 1 }),
    },
    { tool: 'kafka-get-offsets', args: ['--topic', 'filled', '--time', 'earliest'] },
    {
      tool: 'kafka-console-consumer',
      args: ['--topic', 'filled', '--from-beginning', '--max-messages', '1', '--timeout-ms', '20000'],
    },
    {
      tool: 'kafka-log-dirs',
      args: ['--describe', '--topic-list', 'second'],
      hides: LOG_DIR,
    },
    { tool: 'kafka-log-dirs', args: ['--describe', '--broker-list', '1', '--topic-list', 'absent'], hides: LOG_DIR },
    {
      tool: 'kafka-log-dirs',
      args: ['--describe', '--broker-list', '9', '--command-config', '{file}'],
      // It looks for what does not exist until its time is over.
      file: 'default.api.timeout.ms=3000\nrequest.timeout.ms=2000\n',
    },
  ],
};
