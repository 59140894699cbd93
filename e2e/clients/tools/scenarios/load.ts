// Tools that produce and consume: what they count is compared, how long it took is not.
import type { Scenario, ToolCase } from '../tool-case.ts';

const DECIMALS: NonNullable<ToolCase['hides']> = [[/\b\d+[.,]\d+\b/g, '<decimal>']];
const MEASURED: NonNullable<ToolCase['hides']> = [
  [/\b\d+[.]\d+\b/g, '<decimal>'],
  [/<decimal> (ms \d+th)/g, '<decimal> $1'],
  [/\b\d+ ms/g, '<whole> ms'],
];

export const load: Scenario = {
  name: 'load',
  isFast: true,
  cases: [
    { tool: 'kafka-topics', args: ['--create', '--topic', 'load', '--partitions', '2'] },
    {
      tool: 'kafka-producer-perf-test',
      args: [
        ...['--topic', 'load', '--num-records', '2000', '--record-size', '200', '--throughput', '-1'],
        ...['--bootstrap-server', '{bootstrap}'],
      ],
      isBare: true,
      hides: MEASURED,
    },
    {
      tool: 'kafka-consumer-perf-test',
      args: ['--topic', 'load', '--num-records', '2000', '--timeout', '20000'],
      hides: [...DECIMALS, [/, \d+, \d+, <decimal>/g, ', <ms>, <ms>, <decimal>']],
    },
    {
      tool: 'kafka-verifiable-producer',
      args: ['--topic', 'load', '--max-messages', '10'],
      hides: [...DECIMALS, [/"(timestamp|offset|partition|avg_throughput)":"?[^,}\n]*/g, '"$1":<any>']],
      isUnordered: true,
    },
    { tool: 'kafka-topics', args: ['--create', '--topic', 'verified', '--partitions', '1'] },
    // It retries until the partition has a leader, which the next one does not.
    { tool: 'kafka-console-producer', args: ['--topic', 'verified'], input: 'first\n' },
    {
      tool: 'kafka-verifiable-producer',
      args: [
        '--topic',
        'verified',
        '--max-messages',
        '10',
        '--acks',
        '-1',
        '--repeating-keys',
        '3',
        '--value-prefix',
        '7',
      ],
      hides: [
        ...DECIMALS,
        [/"timestamp":\d+/g, '"timestamp":<ms>'],
        [/"avg_throughput":[^,}]*/g, '"avg_throughput":<any>'],
      ],
    },
    {
      tool: 'kafka-verifiable-consumer',
      args: ['--topic', 'verified', '--group-id', 'verifier', '--max-messages', '11', '--reset-policy', 'earliest'],
      hides: [
        [/"timestamp":\d+/g, '"timestamp":<ms>'],
        [/"name":"records_consumed".*/g, '"name":"records_consumed"'],
      ],
    },
  ],
};

export const longerLoad: Scenario = {
  name: 'longer load',
  cases: [
    { tool: 'kafka-topics', args: ['--create', '--topic', 'transacted', '--partitions', '1'] },
    {
      tool: 'kafka-producer-perf-test',
      args: [
        ...['--topic', 'transacted', '--num-records', '200', '--payload-monotonic', '--throughput', '100'],
        ...['--transaction-duration-ms', '500', '--bootstrap-server', '{bootstrap}'],
      ],
      isBare: true,
      hides: MEASURED,
    },
    {
      tool: 'kafka-e2e-latency',
      args: ['--topic', 'latency', '--num-records', '5', '--producer-acks', 'all', '--record-size', '50'],
      hides: [...MEASURED, [/= \d+/g, '= <whole>']],
    },
    {
      tool: 'kafka-console-producer',
      args: ['--topic', 'transacted', '--compression-codec', 'zstd', '--sync', '--request-required-acks', '1'],
      input: 'one\ntwo\n',
    },
    {
      tool: 'kafka-console-consumer',
      args: ['--include', 'transac.*', '--from-beginning', '--max-messages', '3', '--timeout-ms', '20000'],
    },
    { tool: 'kafka-console-consumer', args: ['--topic', 'absent', '--timeout-ms', '3000'] },
    { tool: 'kafka-console-producer', args: ['--topic', 'not/a/topic', '--max-block-ms', '3000'], input: 'lost\n' },
    {
      tool: 'kafka-console-producer',
      args: ['--topic', 'transacted', '--reader-property', 'parse.headers=true'],
      input: 'h:1\tvalue\n',
    },
  ],
};
