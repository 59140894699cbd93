// The cluster itself: brokers, quorum, features, replicas, access.
import type { Scenario, ToolCase } from '../tool-case.ts';

const TWO_PARTITIONS = JSON.stringify({
  version: 1,
  partitions: [
    { topic: 'placed', partition: 0, replicas: [1], log_dirs: ['any'] },
    { topic: 'placed', partition: 1, replicas: [1], log_dirs: ['any'] },
  ],
});
const ELSEWHERE = JSON.stringify({ version: 1, partitions: [{ topic: 'placed', partition: 0, replicas: [7] }] });

function reassign(file: string, ...args: string[]): ToolCase {
  return { tool: 'kafka-reassign-partitions', args: ['--reassignment-json-file', '{file}', ...args], file };
}

const elect = (...args: string[]): ToolCase => ({ tool: 'kafka-leader-election', args });

export const cluster: Scenario = {
  name: 'cluster',
  isFast: true,
  cases: [
    {
      tool: 'kafka-broker-api-versions',
      args: [],
      hides: [
        [/(\])\)?,$/gm, '$1'],
        [/,$/gm, ''],
      ],
    },
    { tool: 'kafka-cluster', args: ['cluster-id', '--bootstrap-server', '{bootstrap}'], isBare: true },
    { tool: 'kafka-cluster', args: ['list-endpoints', '--bootstrap-server', '{bootstrap}'], isBare: true },
    {
      tool: 'kafka-cluster',
      args: ['list-endpoints', '--include-fenced-brokers', '--bootstrap-server', '{bootstrap}'],
      isBare: true,
    },
    { tool: 'kafka-cluster', args: ['unregister', '--id', '9', '--bootstrap-server', '{bootstrap}'], isBare: true },
    { tool: 'kafka-metadata-quorum', args: ['describe', '--status'] },
    { tool: 'kafka-metadata-quorum', args: ['describe', '--replication'] },
    {
      tool: 'kafka-metadata-quorum',
      args: ['describe', '--replication', '--human-readable'],
      hides: [[/\d+ ms ago/g, '<ms> ago']],
    },
    {
      tool: 'kafka-metadata-quorum',
      args: ['remove-controller', '--controller-id', '9', '--controller-directory-id', 'AAAAAAAAAAAAAAAAAAAAAQ'],
    },
    { tool: 'kafka-features', args: ['describe'], hides: [[/Epoch: \d+/g, 'Epoch: <epoch>']] },
    { tool: 'kafka-features', args: ['upgrade', '--feature', 'transaction.version=2'] },
    { tool: 'kafka-features', args: ['upgrade', '--feature', 'no.such.feature=1'] },
    { tool: 'kafka-features', args: ['upgrade', '--feature', 'transaction.version=9', '--dry-run'] },
    { tool: 'kafka-features', args: ['downgrade', '--feature', 'metadata.version=1'] },
    { tool: 'kafka-features', args: ['disable', '--feature', 'no.such.feature'] },
    { tool: 'kafka-topics', args: ['--create', '--topic', 'placed', '--partitions', '2'] },
    elect('--election-type', 'preferred', '--topic', 'placed', '--partition', '0'),
    elect('--election-type', 'unclean', '--topic', 'placed', '--partition', '0'),
    elect('--election-type', 'preferred', '--topic', 'absent', '--partition', '0'),
    elect('--election-type', 'preferred', '--topic', 'placed', '--partition', '7'),
    elect('--election-type', 'preferred', '--all-topic-partitions'),
    { tool: 'kafka-reassign-partitions', args: ['--list'] },
    {
      tool: 'kafka-reassign-partitions',
      args: ['--generate', '--topics-to-move-json-file', '{file}', '--broker-list', '1'],
      file: JSON.stringify({ version: 1, topics: [{ topic: 'placed' }] }),
    },
    reassign(TWO_PARTITIONS, '--verify'),
    reassign(TWO_PARTITIONS, '--execute'),
    reassign(TWO_PARTITIONS, '--verify', '--preserve-throttles'),
    reassign(TWO_PARTITIONS, '--cancel'),
    reassign(ELSEWHERE, '--execute'),
    { tool: 'kafka-delegation-tokens', args: ['--describe', '--command-config', '{file}'], file: '' },
    {
      tool: 'kafka-delegation-tokens',
      args: ['--create', '--max-life-time-period', '-1', '--command-config', '{file}'],
      file: '',
    },
    {
      tool: 'kafka-replica-verification',
      args: ['--broker-list', '{bootstrap}', '--topics-include', 'placed'],
      isBare: true,
      runsOnceItPrints: /verification process is started/,
    },
  ],
};

const acls = (...args: string[]): ToolCase => ({ tool: 'kafka-acls', args, isUnordered: true });
const alice = ['--allow-principal', 'User:alice'];
const user = (...args: string[]): ToolCase => ({ tool: 'kafka-configs', args: ['--user', 'alice', ...args] });

export const access: Scenario = {
  name: 'access',
  isFast: true,
  cases: [
    acls('--list'),
    acls('--add', ...alice, '--operation', 'Read', '--topic', 'secret'),
    acls('--add', ...alice, '--operation', 'Read', '--topic', 'sec', '--resource-pattern-type', 'prefixed'),
    acls('--add', ...alice, '--producer', '--topic', 'out', '--transactional-id', 'tx'),
    acls('--add', ...alice, '--consumer', '--topic', 'in', '--group', 'readers'),
    acls('--add', ...alice, '--operation', 'Describe', '--cluster'),
    acls('--add', '--deny-principal', 'User:mallory', '--deny-host', '10.0.0.1', '--operation', 'All', '--group', '*'),
    acls('--add', ...alice, '--operation', 'Create', '--group', 'readers'),
    acls('--add', '--allow-principal', 'alice', '--operation', 'Read', '--topic', 'secret'),
    acls('--list'),
    acls('--list', '--topic', 'secret'),
    acls('--list', '--topic', 'secret', '--resource-pattern-type', 'match'),
    acls('--list', '--principal', 'User:mallory'),
    acls('--remove', '--force', ...alice, '--operation', 'Read', '--topic', 'secret'),
    acls('--remove', '--force', '--topic', 'absent'),
    acls('--remove', '--force', '--cluster'),
    acls('--list', '--topic', 'secret'),
    user('--describe'),
    user('--alter', '--add-config', 'SCRAM-SHA-256=[iterations=4096,password=of-alice]'),
    user('--alter', '--add-config', 'SCRAM-SHA-512=[password=of-alice]'),
    user('--alter', '--add-config', 'SCRAM-SHA-256=[iterations=12,password=of-alice]'),
    user('--alter', '--add-config', 'producer_byte_rate=1048576,consumer_byte_rate=2097152'),
    user('--alter', '--add-config', 'producer_byte_rate=-5'),
    user('--alter', '--add-config', 'no_such_quota=5'),
    user('--alter', '--add-config', 'request_percentage=50'),
    { tool: 'kafka-configs', args: ['--user', 'bob', '--alter', '--add-config', 'controller_mutation_rate=10'] },
    {
      tool: 'kafka-configs',
      args: ['--user', 'alice', '--client', 'app', '--alter', '--add-config', 'producer_byte_rate=1024'],
    },
    { tool: 'kafka-configs', args: ['--client', 'app', '--alter', '--add-config', 'consumer_byte_rate=1024'] },
    { tool: 'kafka-configs', args: ['--client-defaults', '--alter', '--add-config', 'consumer_byte_rate=1024'] },
    { tool: 'kafka-configs', args: ['--user-defaults', '--alter', '--add-config', 'consumer_byte_rate=1024'] },
    { tool: 'kafka-configs', args: ['--ip', '10.0.0.1', '--alter', '--add-config', 'connection_creation_rate=10'] },
    { ...user('--describe'), isUnordered: true },
    { tool: 'kafka-configs', args: ['--entity-type', 'users', '--describe'], isUnordered: true },
    { tool: 'kafka-configs', args: ['--entity-type', 'clients', '--describe'], isUnordered: true },
    {
      tool: 'kafka-configs',
      args: ['--entity-type', 'users', '--entity-type', 'clients', '--describe'],
      isUnordered: true,
    },
    { tool: 'kafka-configs', args: ['--entity-type', 'ips', '--describe'], isUnordered: true },
    user('--alter', '--delete-config', 'producer_byte_rate,consumer_byte_rate,SCRAM-SHA-256,SCRAM-SHA-512'),
    user('--alter', '--delete-config', 'SCRAM-SHA-256'),
    user('--describe'),
    // They would slow down the tools that follow.
    ...['--client-defaults', '--user-defaults'].map(
      (who): ToolCase => ({ tool: 'kafka-configs', args: [who, '--alter', '--delete-config', 'consumer_byte_rate'] }),
    ),
  ],
};
