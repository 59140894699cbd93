// Consumer groups of both kinds, and groups that Penstock does not have.
import type { Scenario, ToolCase } from '../tool-case.ts';

const values = (count: number): string => [...Array(count).keys()].map((number) => `v${number}\n`).join('');

function reset(...how: string[]): ToolCase {
  return {
    tool: 'kafka-consumer-groups',
    args: ['--group', 'reader', '--reset-offsets', '--topic', 'read', ...how],
  };
}

const group = (...args: string[]): ToolCase => ({ tool: 'kafka-consumer-groups', args });

export const groups: Scenario = {
  name: 'groups',
  isFast: true,
  cases: [
    { tool: 'kafka-topics', args: ['--create', '--topic', 'read', '--partitions', '1'] },
    { tool: 'kafka-console-producer', args: ['--topic', 'read'], input: values(20) },
    {
      tool: 'kafka-console-consumer',
      args: [
        ...['--topic', 'read', '--group', 'reader', '--from-beginning', '--max-messages', '20'],
        ...['--timeout-ms', '20000'],
      ],
    },
    { ...group('--list'), isUnordered: true },
    { ...group('--list', '--state'), isUnordered: true },
    { ...group('--list', '--type'), isUnordered: true },
    group('--list', '--state', 'Stable'),
    group('--list', '--type', 'consumer'),
    group('--list', '--type', 'nonsense'),
    group('--describe', '--group', 'reader'),
    group('--describe', '--group', 'reader', '--verbose'),
    group('--describe', '--group', 'reader', '--members'),
    group('--describe', '--group', 'reader', '--members', '--verbose'),
    group('--describe', '--group', 'reader', '--state'),
    group('--describe', '--group', 'reader', '--state', '--verbose'),
    group('--describe', '--group', 'absent'),
    group('--describe', '--group', 'absent', '--state'),
    reset('--to-earliest', '--dry-run'),
    reset('--to-earliest', '--execute'),
    reset('--to-latest', '--execute'),
    reset('--to-offset', '7', '--execute'),
    reset('--to-offset', '999', '--execute'),
    reset('--shift-by', '3', '--execute'),
    reset('--shift-by', '-30', '--execute'),
    reset('--to-datetime', '2000-01-01T00:00:00.000', '--execute'),
    reset('--to-datetime', '2100-01-01T00:00:00.000', '--execute'),
    reset('--by-duration', 'PT1H', '--execute'),
    reset('--to-current', '--execute'),
    reset('--to-earliest', '--export'),
    {
      tool: 'kafka-consumer-groups',
      args: ['--group', 'reader', '--reset-offsets', '--from-file', '{file}', '--execute'],
      file: '"read",0,5\n',
    },
    {
      tool: 'kafka-consumer-groups',
      args: ['--group', 'reader', '--reset-offsets', '--all-topics', '--to-latest', '--execute'],
    },
    {
      tool: 'kafka-consumer-groups',
      args: ['--group', 'reader', '--reset-offsets', '--topic', 'absent', '--to-latest', '--execute'],
    },
    group('--describe', '--all-groups', '--offsets'),
    group('--delete-offsets', '--group', 'reader', '--topic', 'absent'),
    group('--delete-offsets', '--group', 'reader', '--topic', 'read'),
    group('--describe', '--group', 'reader'),
    group('--delete', '--group', 'absent'),
    reset('--to-earliest', '--execute'),
    group('--delete', '--group', 'reader'),
    { ...group('--list'), isUnordered: true },
    { tool: 'live-member', args: ['join', '{bootstrap}', 'live', 'read', 'classic'], isBare: true },
    group('--describe', '--group', 'live'),
    group('--describe', '--group', 'live', '--members', '--verbose'),
    group('--describe', '--group', 'live', '--state'),
    group('--group', 'live', '--reset-offsets', '--topic', 'read', '--to-earliest', '--execute'),
    group('--delete', '--group', 'live'),
    group('--delete-offsets', '--group', 'live', '--topic', 'read'),
    { tool: 'kafka-groups', args: ['--list'], isUnordered: true },
    { tool: 'kafka-groups', args: ['--list', '--consumer'], isUnordered: true },
    { tool: 'kafka-groups', args: ['--list', '--group-type', 'classic'], isUnordered: true },
    { tool: 'kafka-groups', args: ['--list', '--protocol', 'connect'], isUnordered: true },
    { tool: 'kafka-groups', args: ['--list', '--share'] },
    { tool: 'kafka-groups', args: ['--list', '--streams'] },
    { tool: 'live-member', args: ['leave'], isBare: true },
    group('--delete', '--group', 'live'),
    // When Kafka has it already: one with other settings would break its groups.
    { tool: 'kafka-topics', args: ['--create', '--topic', '__consumer_offsets'] },
    group('--validate-regex', 'a.*b'),
    group('--validate-regex', 'a(?=b)'),
  ],
};

/** Members choose their own ids in this protocol. */
const MEMBER_IDS: ToolCase['hides'] = [[/(^|\s)[A-Za-z0-9_-]{22}(?=\s)/gm, '$1<member>']];
const consumerGroup = (...args: string[]): ToolCase => ({ ...group(...args), hides: MEMBER_IDS, isUnordered: true });

/** Groups of the protocol of KIP-848. */
export const consumerGroups: Scenario = {
  name: 'consumer groups',
  cases: [
    { tool: 'kafka-topics', args: ['--create', '--topic', 'shared', '--partitions', '2'] },
    {
      tool: 'kafka-console-producer',
      // Without a key, records go to a partition that the producer chooses at random.
      args: ['--topic', 'shared', '--reader-property', 'parse.key=true', '--reader-property', 'key.separator=:'],
      input: [...Array(5).keys()].map((number) => `k${number}:v${number}\n`).join(''),
    },
    {
      tool: 'kafka-console-consumer',
      args: [
        ...['--topic', 'shared', '--group', 'modern', '--from-beginning', '--max-messages', '5'],
        ...['--timeout-ms', '20000', '--command-property', 'group.protocol=consumer'],
      ],
      isUnordered: true,
    },
    consumerGroup('--describe', '--group', 'modern'),
    { tool: 'live-member', args: ['join', '{bootstrap}', 'modern', 'shared', 'consumer'], isBare: true },
    consumerGroup('--describe', '--group', 'modern'),
    consumerGroup('--describe', '--group', 'modern', '--verbose'),
    consumerGroup('--describe', '--group', 'modern', '--members', '--verbose'),
    consumerGroup('--describe', '--group', 'modern', '--state'),
    consumerGroup('--list', '--type', 'consumer'),
    consumerGroup('--list', '--state'),
    consumerGroup('--group', 'modern', '--reset-offsets', '--topic', 'shared', '--to-earliest', '--execute'),
    consumerGroup('--delete-offsets', '--group', 'modern', '--topic', 'shared'),
    consumerGroup('--delete', '--group', 'modern'),
    { tool: 'kafka-groups', args: ['--list', '--group-type', 'consumer'] },
    { tool: 'live-member', args: ['leave'], isBare: true },
    consumerGroup('--describe', '--group', 'modern', '--state'),
    consumerGroup('--delete', '--group', 'modern'),
    consumerGroup('--list', '--type', 'consumer'),
  ],
};

/** Share groups (KIP-932) and Streams groups (KIP-1071) exist in Kafka only. */
export const otherGroups: Scenario = {
  name: 'other groups',
  cases: [
    { tool: 'kafka-share-groups', args: ['--list'] },
    { tool: 'kafka-share-groups', args: ['--describe', '--group', 'absent'] },
    { tool: 'kafka-share-groups', args: ['--delete', '--group', 'absent'] },
    { tool: 'kafka-streams-groups', args: ['--list'] },
    { tool: 'kafka-streams-groups', args: ['--describe', '--group', 'absent'] },
    { tool: 'kafka-streams-groups', args: ['--delete', '--group', 'absent'] },
    { tool: 'kafka-topics', args: ['--create', '--topic', 'streamed'] },
    {
      tool: 'kafka-console-producer',
      args: ['--topic', 'streamed'],
      input: values(5),
    },
    {
      tool: 'kafka-streams-application-reset',
      args: ['--application-id', 'application', '--input-topics', 'streamed', '--dry-run'],
    },
    {
      tool: 'kafka-streams-application-reset',
      args: ['--application-id', 'application', '--input-topics', 'streamed'],
    },
    {
      tool: 'kafka-console-share-consumer',
      args: ['--topic', 'streamed', '--max-messages', '5', '--timeout-ms', '3000'],
      timeoutMs: 20_000,
    },
    {
      tool: 'kafka-share-consumer-perf-test',
      args: ['--topic', 'streamed', '--num-records', '5', '--timeout', '3000'],
      hides: [
        [/\b\d[\d.]*\b/g, '<number>'],
        [/(<number>-)+.*?,/g, '<time>,'],
      ],
      timeoutMs: 20_000,
    },
    {
      tool: 'kafka-verifiable-share-consumer',
      args: ['--topic', 'streamed', '--group-id', 'shared', '--max-messages', '5'],
      timeoutMs: 10_000,
    },
  ],
};
