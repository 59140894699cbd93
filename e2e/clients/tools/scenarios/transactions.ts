// Transactions that are open while kafka-transactions looks at them.
import type { Scenario, ToolCase } from '../tool-case.ts';

/** Ids of producers grow over everything that a system ever did. Durations are in milliseconds. */
const IDS: ToolCase['hides'] = [
  // list: transactional id, coordinator, producer
  [/^(payments|bills)(\s+\d+\s+)\d+/gm, '$1$2<producer>'],
  // describe: coordinator, transactional id, producer, epoch, state, timeout, start, duration
  [/^(\d+\s+(?:payments|bills)\s+)\d+(\s+\d+\s+\w+\s+\d+\s+(?:None|\d+)\s+)(None|\d+)/gm, '$1<producer>$2<any>'],
  // describe-producers: producer, epoch, coordinator's epoch, sequence, timestamp, start
  [/^\d+(\s+\d+\s+-?\d+\s+-?\d+\s+\d+\s+(?:None|\d+))/gm, '<producer>$1'],
];
const transactions = (...args: string[]): ToolCase => ({
  tool: 'kafka-transactions',
  args: ['--bootstrap-server', '{bootstrap}', ...args],
  isBare: true,
  hides: IDS,
});

/** Tools look for what does not exist until their time is over. */
const SOON = { file: 'default.api.timeout.ms=3000\nrequest.timeout.ms=2000\n' };

export const openTransactions: Scenario = {
  name: 'transactions',
  isFast: true,
  cases: [
    { tool: 'kafka-topics', args: ['--create', '--topic', 'ledger', '--partitions', '1'] },
    transactions('list'),
    transactions('describe', '--transactional-id', 'absent'),
    transactions('describe-producers', '--topic', 'ledger', '--partition', '0'),
    { tool: 'open-transaction', args: ['begin', '{bootstrap}', 'payments', 'ledger'], isBare: true },
    transactions('list'),
    transactions('list', '--duration-filter', '3600000'),
    transactions('list', '--transactional-id-pattern', 'pay.*'),
    transactions('list', '--transactional-id-pattern', 'bills.*'),
    transactions('list', '--transactional-id-pattern', '('),
    transactions('describe', '--transactional-id', 'payments'),
    transactions('describe-producers', '--topic', 'ledger', '--partition', '0'),
    {
      ...transactions('--command-config', '{file}', ...['describe-producers', '--topic', 'ledger', '--partition', '7']),
      ...SOON,
    },
    transactions('describe-producers', '--topic', 'ledger', '--partition', '0', '--broker-id', '1'),
    transactions('find-hanging', '--broker-id', '1'),
    transactions('find-hanging', '--broker-id', '1', '--max-transaction-timeout', '0'),
    transactions('find-hanging', '--topic', 'ledger', '--partition', '0'),
    {
      tool: 'kafka-console-consumer',
      args: [
        ...['--topic', 'ledger', '--from-beginning', '--isolation-level', 'read_committed', '--timeout-ms', '2000'],
      ],
    },
    { tool: 'kafka-get-offsets', args: ['--topic', 'ledger', '--time', 'latest'] },
    transactions('abort', '--topic', 'ledger', '--partition', '0', '--start-offset', '5'),
    transactions('abort', '--topic', 'ledger', '--partition', '0', '--start-offset', '0'),
    transactions('describe-producers', '--topic', 'ledger', '--partition', '0'),
    { tool: 'kafka-get-offsets', args: ['--topic', 'ledger', '--time', 'latest'] },
    { tool: 'open-transaction', args: ['commit'], isBare: true },
    { tool: 'kafka-topics', args: ['--create', '--topic', 'invoices', '--partitions', '1'] },
    { tool: 'open-transaction', args: ['begin', '{bootstrap}', 'bills', 'invoices'], isBare: true },
    transactions('forceTerminateTransaction', '--transactionalId', 'bills'),
    transactions('forceTerminateTransaction', '--transactionalId', 'absent'),
    { tool: 'open-transaction', args: ['commit'], isBare: true },
    transactions('describe', '--transactional-id', 'bills'),
    {
      tool: 'kafka-console-consumer',
      args: [
        ...['--topic', 'invoices', '--from-beginning', '--isolation-level', 'read_committed', '--timeout-ms', '2000'],
      ],
    },
    {
      tool: 'kafka-console-consumer',
      args: ['--topic', 'invoices', '--from-beginning', '--timeout-ms', '2000'],
    },
  ],
};
