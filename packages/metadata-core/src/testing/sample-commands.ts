// For tests: one command of every kind with every field in use. The golden bytes are made of these: do not change them.
import type { CommandKind, CommandOf } from '../command.ts';
import { fileId, id, START_MS } from './cluster.ts';

const bytes = Uint8Array.of(0, 1, 254, 255);

export const SAMPLE_COMMANDS: { [K in CommandKind]: CommandOf<K> } = {
  'register-agent': {
    kind: 'register-agent',
    agentId: 'agent-1',
    zone: 'eu-west-1a',
    version: '0.1.0',
    advertisedHost: 'localhost',
    advertisedPort: 9092,
    bucket: 's3://bucket/prefix',
  },
  'agent-left': { kind: 'agent-left', agentId: 'agent-1' },
  'minute-mark': { kind: 'minute-mark', minute: 29_833_333, aliveAgentIds: ['agent-1', 'agent-2'] },
  'set-clock-back': { kind: 'set-clock-back', fromMs: START_MS + 86_400_000 },
  'update-settings': {
    kind: 'update-settings',
    settings: { defaultPartitions: 3, writesRefused: true, writesRefusedReason: 'Ausgabengrenze erreicht: 10 €' },
  },
  'raise-rules-level': { kind: 'raise-rules-level', level: 2 },
  'create-topics': {
    kind: 'create-topics',
    topics: [
      { name: 'orders', topicId: id(1), partitions: 2, configs: [{ name: 'retention.ms', value: '-1' }] },
      { name: 'default', topicId: id(2), partitions: -1, configs: [] },
    ],
    validateOnly: false,
  },
  'delete-topics': { kind: 'delete-topics', names: ['nope'], topicIds: [id(2)] },
  'create-partitions': {
    kind: 'create-partitions',
    topics: [{ name: 'orders', totalPartitions: 3 }],
    validateOnly: false,
  },
  'alter-configs': {
    kind: 'alter-configs',
    topics: [
      {
        name: 'orders',
        ops: [
          { kind: 'set', name: 'max.message.bytes', value: '1000' },
          { kind: 'delete', name: 'retention.ms', value: '' },
          { kind: 'append', name: 'cleanup.policy', value: 'compact' },
        ],
      },
    ],
    validateOnly: false,
  },
  'commit-file': {
    kind: 'commit-file',
    fileId: fileId(7, START_MS),
    fileBytes: 1_000,
    topicIds: [id(1), id(9)],
    runTopic: Uint32Array.of(0, 0, 1),
    runPartition: Uint32Array.of(0, 1, 0),
    runPosition: Float64Array.of(0, 300, 500),
    runBatches: Uint32Array.of(2, 1, 1),
    batchBytes: Uint32Array.of(100, 200, 150, 400),
    batchRecords: Uint32Array.of(1, 20, 300, 4),
    batchMaxTimestampMs: Float64Array.of(START_MS, START_MS - 5, -1, START_MS + 1),
    batchUncompressedBytes: Float64Array.of(100, 5_000_000_000, 150, 400),
    producers: {
      id: Float64Array.of(-1, 1_000, 1_000, -1),
      epoch: Int32Array.of(-1, 0, 3, -1),
      baseSequence: Int32Array.of(-1, 0, 2_147_483_647, -1),
    },
  },
  'delete-records': {
    kind: 'delete-records',
    partitions: [{ topicId: id(1), partition: 0, beforeOffset: 5 }],
  },
  'init-producer-id': { kind: 'init-producer-id', producerId: -1, producerEpoch: -1, requestId: id(3) },
  'expire-retention': { kind: 'expire-retention' },
  'take-deletions': { kind: 'take-deletions', maxFiles: 100 },
  'confirm-deletions': { kind: 'confirm-deletions', fileIds: [fileId(8, START_MS)] },
  'join-group': {
    kind: 'join-group',
    groupId: 'billing',
    sessionTimeoutMs: 45_000,
    rebalanceTimeoutMs: 300_000,
    memberId: '',
    newMemberId: 'client-1',
    groupInstanceId: 'instance-1',
    protocolType: 'consumer',
    protocols: [{ name: 'range', metadata: bytes }],
    clientId: 'client',
    clientHost: '/127.0.0.1',
    requireKnownMemberId: true,
    initialRebalanceDelayMs: 0,
  },
  'group-deadline': { kind: 'group-deadline', groupId: 'billing' },
  'sync-group': {
    kind: 'sync-group',
    groupId: 'billing',
    generationId: 1,
    memberId: 'client-1',
    groupInstanceId: 'instance-1',
    protocolType: 'consumer',
    protocolName: 'range',
    assignments: [{ memberId: 'client-1', assignment: bytes }],
  },
  'leave-group': { kind: 'leave-group', groupId: 'other', members: [{ memberId: 'm', groupInstanceId: null }] },
  'expire-members': { kind: 'expire-members', members: [{ groupId: 'other', memberId: 'm' }] },
  'commit-offsets': {
    kind: 'commit-offsets',
    groupId: 'billing',
    generationId: 1,
    memberId: 'client-1',
    groupInstanceId: 'instance-1',
    offsets: [{ topic: 'orders', partition: 1, offset: 250, leaderEpoch: -1, metadata: 'note' }],
  },
  'delete-offsets': {
    kind: 'delete-offsets',
    groupId: 'other',
    partitions: [{ topic: 'orders', partition: 0 }],
  },
  'delete-groups': { kind: 'delete-groups', groupIds: ['other'] },
  'expire-offsets': { kind: 'expire-offsets' },
};
