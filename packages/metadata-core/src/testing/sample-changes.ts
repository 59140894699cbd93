// One change of every kind by a Kafka client, for golden files and round trips.
import type { KafkaChange, KafkaClient } from '../changes/kafka-change.ts';
import { AclOperation, AclPermission, PatternType, ResourceType } from '../security/acl-numbers.ts';
import { ScramMechanism } from '../security/scram-rules.ts';
import { START_MS } from './cluster.ts';

export const SAMPLE_CLIENT: KafkaClient = {
  principal: 'User:ünal',
  clientId: 'admin-1',
  address: '2001:db8::7',
  agentId: 'agent-1',
  agentKeyId: '0198f0c4-7c00-7000-8000-000000000001',
};

const acl = {
  resourceType: ResourceType.TOPIC,
  resourceName: 'orders-',
  patternType: PatternType.PREFIXED,
  principal: 'User:alice',
  host: '*',
  operation: AclOperation.READ,
  permissionType: AclPermission.ALLOW,
};

export const SAMPLE_CHANGES: KafkaChange[] = [
  { kind: 'topic-created', name: 'orders', partitions: 12, configs: [{ name: 'retention.ms', value: '1000' }] },
  { kind: 'topic-deleted', name: 'orders', partitions: 12 },
  { kind: 'partitions-added', name: 'orders', totalPartitions: 24 },
  {
    kind: 'configs-altered',
    name: 'orders',
    ops: [
      { kind: 'append', name: 'cleanup.policy', value: 'compact' },
      { kind: 'delete', name: 'retention.ms', value: '' },
    ],
  },
  {
    kind: 'credential-put',
    user: 'alice',
    mechanism: ScramMechanism.SHA_512,
    iterations: 4_096,
    expiresAtMs: START_MS,
  },
  { kind: 'credential-deleted', user: 'alice', mechanism: ScramMechanism.SHA_256 },
  { kind: 'acls-created', acls: [acl] },
  { kind: 'acls-deleted', acls: [acl, { ...acl, permissionType: AclPermission.DENY }] },
  {
    kind: 'quota-altered',
    user: '',
    clientId: null,
    ops: [
      { key: 'producer_byte_rate', value: 1_048_576.5 },
      { key: 'request_percentage', value: null },
    ],
  },
  { kind: 'group-deleted', groupId: 'payments' },
  {
    kind: 'group-configs-altered',
    groupId: 'payments',
    ops: [
      { name: 'consumer.session.timeout.ms', value: '30000' },
      { name: 'consumer.heartbeat.interval.ms', value: null },
    ],
  },
  {
    kind: 'client-metrics-altered',
    name: 'java-clients',
    ops: [
      { kind: 'append', name: 'metrics', value: 'org.apache.kafka.consumer.' },
      { kind: 'delete', name: 'match', value: '' },
    ],
  },
  { kind: 'transaction-aborted', transactionalId: 'überweisungen-1' },
  { kind: 'cluster-defaults-altered', maxUncompressedBatchBytes: 5_000_000 },
];
