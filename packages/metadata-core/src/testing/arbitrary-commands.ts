// For property tests: random well-formed commands, with so few names, ids and times that commands affect each other.
import fc from 'fast-check';
import { computeTarget } from '../consumer-groups/compute-target.ts';
import { encodeAssignment } from '../consumer-groups/consumer-protocol.ts';
import type { Command } from '../model/command.ts';
import type { ConsumerGroupHeartbeat, InstallTargetAssignment } from '../model/consumer-groups.types.ts';
import type { CommitFile, ReplaceRuns } from '../model/data.types.ts';
import { ErrorCode } from '../model/error-code.ts';
import type { Id } from '../model/ids.ts';
import { idFromKey, idKey } from '../model/ids.ts';
import { NEWEST_RULES } from '../model/rules.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { Partition } from '../state/partition.types.ts';
import { lastStableOffset } from '../state/partition-transactions.ts';
import type { RunIndex } from '../state/run-index.ts';
import { commitOf, fileId, id, START_MS, type TestBatch, type TestRun } from './cluster.ts';
import { encodeSubscription } from './consumer-protocol.ts';

/** Tests run over this much time, so that some ids become too old and some sessions expire. */
export const SPAN_MS = 20 * 60_000;

const anId = fc.integer({ min: 1, max: 4 }).map(id);
const aFileId = fc
  .tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 4 }))
  .map(([number, step]) => fileId(number, START_MS + step * 300_000));
const aPartition = fc.integer({ min: 0, max: 3 });
const aTopic = fc.constantFrom('a', 'b', 'c', 'bad/name', '');
const anOffset = fc.oneof(fc.integer({ min: -2, max: 60 }), fc.maxSafeInteger());
const aMember = fc.constantFrom('m1', 'm2', 'm3', 'm4');
const aGroup = fc.constantFrom('g1', 'g2', '');
const anInstance = fc.option(fc.constantFrom('i1', 'i2'), { nil: null, freq: 3 });
const someBytes = fc.uint8Array({ maxLength: 8 });
const aConfig = fc.record({
  name: fc.constantFrom('retention.ms', 'retention.bytes', 'cleanup.policy', 'nope'),
  value: fc.constantFrom('1', '1000', '-1', 'compact', 'delete', 'x'),
});

const aTransactionalId = fc.constantFrom('t1', 't2', 't3', '');
const aClaim = {
  transactionalId: aTransactionalId,
  producerId: fc.integer({ min: -1, max: 4 }),
  producerEpoch: fc.integer({ min: -1, max: 3 }),
};

const aBatch: fc.Arbitrary<TestBatch> = fc
  .record(
    {
      records: fc.integer({ min: 1, max: 5 }),
      bytes: fc.integer({ min: 61, max: 90 }),
      uncompressedBytes: fc.integer({ min: 0, max: 500 }),
      timestampMs: fc.oneof(
        fc.integer({ min: -1, max: SPAN_MS }).map((ms) => START_MS + ms),
        fc.maxSafeInteger(),
      ),
      producer: fc.tuple(
        fc.constantFrom(-1, 1, 2, Number.MAX_SAFE_INTEGER),
        fc.integer({ min: -1, max: 2 }),
        fc.oneof(fc.integer({ min: -1, max: 12 }), fc.constantFrom(2_147_483_645, 2_147_483_647)),
      ),
      transaction: fc.record({ transactionalId: aTransactionalId, addsPartitions: fc.boolean() }),
    },
    { requiredKeys: ['records', 'bytes', 'uncompressedBytes', 'timestampMs'] },
  )
  .map(({ transaction, ...batch }) =>
    // A transactional batch has a producer.
    transaction === undefined || (batch.producer?.[0] ?? -1) < 0 ? batch : { ...batch, transaction },
  );
const aRun: fc.Arbitrary<TestRun> = fc.record({
  topic: anId,
  partition: aPartition,
  batches: fc.array(aBatch, { minLength: 1, maxLength: 4 }),
});

const commitFile: fc.Arbitrary<CommitFile> = fc
  .tuple(aFileId, fc.array(aRun, { maxLength: 5 }), fc.boolean())
  .map(([file, runs, broken]) => {
    const command = commitOf(file, runs);
    return broken ? { ...command, fileBytes: Math.max(1, command.fileBytes - 61) } : command;
  });

/** Hardly any of these applies as generated: see `withRuns`. */
const replaceRuns: fc.Arbitrary<ReplaceRuns> = fc
  .tuple(
    aFileId,
    fc.integer({ min: 0, max: 3 }),
    fc.array(aFileId, { maxLength: 3 }),
    fc.array(
      fc.record({
        topic: fc.integer({ min: 0, max: 2 }),
        partition: aPartition,
        base: fc.nat(60),
        records: fc.nat(20),
        bytes: fc.nat(200),
        lessBytes: fc.nat(100),
        maxTimestampMs: fc.integer({ min: -1, max: SPAN_MS }),
      }),
      { maxLength: 4 },
    ),
    fc.constantFrom('copied', 'compacted', 'compacted with timestamps'),
  )
  .map(([file, level, sourceFileIds, targets, form]) => ({
    kind: 'replace-runs',
    fileId: file,
    fileBytes: 1_000,
    level,
    sourceFileIds,
    topicIds: [id(1), id(2)],
    targetTopic: Uint32Array.from(targets, ({ topic }) => topic),
    targetPartition: Uint32Array.from(targets, ({ partition }) => partition),
    targetBaseOffset: Float64Array.from(targets, ({ base }) => base),
    targetEndOffset: Float64Array.from(targets, ({ base, records }) => base + records),
    targetPosition: Float64Array.from(targets, (_, at) => at * 200),
    targetBytes: Float64Array.from(targets, ({ bytes }) => bytes),
    compaction:
      form === 'copied'
        ? null
        : {
            targetSourceBytes: Float64Array.from(targets, ({ bytes, lessBytes }) => bytes + lessBytes),
            targetMaxTimestampMs:
              form === 'compacted' ? null : Float64Array.from(targets, ({ maxTimestampMs }) => maxTimestampMs),
            targetDeleteHorizonMs:
              form === 'compacted' ? Float64Array.from(targets, ({ maxTimestampMs }) => maxTimestampMs + 1) : null,
            ...(form === 'compacted' ? { isAbortedRemoved: true } : {}),
          },
  }));

const aUser = fc.constantFrom('alice', 'bob', '');
const aMechanism = fc.constantFrom(1, 2, 2, 3, -1);
const keyBytes = new Uint8Array(64);
const aVerifier = fc
  .record({
    user: aUser,
    mechanism: aMechanism,
    salt: fc.uint8Array({ maxLength: 2 }),
    iterations: fc.constantFrom(4_095, 4_096, 8_192),
    expiresAtMs: fc.constantFrom(0, 0, -1, START_MS, START_MS + SPAN_MS / 2),
  })
  .map((verifier) => {
    const key = keyBytes.subarray(0, verifier.mechanism === 1 ? 32 : 64);
    return { ...verifier, storedKey: key, serverKey: key };
  });
const aResourceName = fc.constantFrom('a', 'ab', '*', 'kafka-cluster');
const aPrincipal = fc.constantFrom('User:alice', 'User:*', 'bob');
const aHost = fc.constantFrom('*', '10.0.0.1');
const aBinding = fc.record({
  resourceType: fc.integer({ min: 1, max: 4 }),
  resourceName: aResourceName,
  patternType: fc.integer({ min: 2, max: 4 }),
  principal: aPrincipal,
  host: aHost,
  operation: fc.integer({ min: 1, max: 4 }),
  permissionType: fc.integer({ min: 1, max: 3 }),
});
const anAclFilter = fc.record({
  resourceType: fc.integer({ min: 0, max: 4 }),
  resourceName: fc.option(aResourceName),
  patternType: fc.integer({ min: 1, max: 4 }),
  principal: fc.option(aPrincipal),
  host: fc.option(aHost),
  operation: fc.integer({ min: 1, max: 4 }),
  permissionType: fc.integer({ min: 1, max: 3 }),
});
const aQuotaOp = fc.record({
  key: fc.constantFrom('producer_byte_rate', 'consumer_byte_rate', 'request_percentage', 'nope'),
  value: fc.option(fc.oneof(fc.integer({ min: -1, max: 3 }), fc.double())),
});

const aSubscription = fc.oneof(
  { arbitrary: someBytes, weight: 1 },
  {
    arbitrary: fc
      .tuple(fc.subarray(['a', 'b']), fc.uniqueArray(aPartition, { maxLength: 2 }))
      .map(([topics, owned]) => encodeSubscription(topics, owned.length === 0 ? [] : [['a', owned]])),
    weight: 4,
  },
);
const anAssignment = fc.oneof(
  { arbitrary: someBytes, weight: 1 },
  { arbitrary: fc.uniqueArray(aPartition).map((partitions) => encodeAssignment([['a', partitions]])), weight: 3 },
);
const aRegex = fc.constantFrom('a|b', '.*', '');
const consumerGroupHeartbeat: fc.Arbitrary<ConsumerGroupHeartbeat> = fc
  .record({
    kind: fc.constant('consumer-group-heartbeat' as const),
    groupId: aGroup,
    memberId: fc.oneof({ arbitrary: aMember, weight: 9 }, { arbitrary: fc.constant(''), weight: 1 }),
    newMemberId: fc.uuid({ version: 4 }),
    memberEpoch: fc.oneof(
      { arbitrary: fc.constant(0), weight: 2 },
      { arbitrary: fc.integer({ min: -3, max: 8 }), weight: 1 },
    ),
    instanceId: anInstance,
    rackId: fc.option(fc.constantFrom('r1', ''), { nil: null, freq: 1 }),
    rebalanceTimeoutMs: fc.constantFrom(-1, 1_000, 60_000),
    subscribedTopics: fc.option(fc.subarray(['b', 'a', 'c']), { nil: null }),
    subscribedRegex: fc.option(aRegex, { nil: null, freq: 2 }),
    serverAssignor: fc.option(fc.constantFrom('uniform', 'range', 'nope'), { nil: null, freq: 1 }),
    owned: fc.option(
      fc.array(fc.record({ topicId: anId, partitions: fc.uniqueArray(aPartition, { maxLength: 3 }) }), {
        maxLength: 1,
      }),
      { nil: null },
    ),
    apiVersion: fc.integer({ min: 0, max: 1 }),
    clientId: fc.constantFrom('', 'client'),
    clientHost: fc.constant('/127.0.0.1'),
    principal: fc.constant('User:alice'),
  })
  // Most of those that join say all that they must say.
  .map((command) =>
    command.memberEpoch === 0 && command.rackId !== ''
      ? { ...command, rebalanceTimeoutMs: 60_000, subscribedTopics: command.subscribedTopics ?? ['a'], owned: [] }
      : command,
  );

const kind = <K extends Command['kind']>(name: K): fc.Arbitrary<K> => fc.constant(name);

/** Every kind of command; commits and group calls are more frequent. */
export const aCommand: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: commitFile, weight: 8 },
  { arbitrary: replaceRuns, weight: 6 },
  fc.record({
    kind: kind('register-agent'),
    agentId: fc.constantFrom('x', 'y', ''),
    zone: fc.constantFrom('', 'zone-a'),
    version: fc.constant('0.1.0'),
    advertisedHost: fc.constant('localhost'),
    advertisedPort: fc.integer({ min: 0, max: 70_000 }),
    bucket: fc.constantFrom('s3://one', 's3://two'),
    keyId: fc.constant('key'),
  }),
  fc.record({ kind: kind('agent-left'), agentId: fc.constantFrom('x', 'y', 'z') }),
  fc.record({
    kind: kind('minute-mark'),
    minute: fc.integer({ min: 0, max: 5 }),
    aliveAgentIds: fc.array(fc.constant('x'), { maxLength: 2 }),
  }),
  fc.record({
    kind: kind('update-settings'),
    settings: fc.record(
      {
        autoCreateTopics: fc.boolean(),
        defaultPartitions: fc.integer({ min: 0, max: 3 }),
        writesRefused: fc.boolean(),
        writesRefusedReason: fc.string(),
        mode: fc.constantFrom('standard', 'dev', 'low-latency'),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ kind: kind('set-max-uncompressed-batch-bytes'), bytes: fc.constantFrom(0, 1_024, 2_000, 2 ** 30) }),
  fc.record({ kind: kind('set-offsets-retention'), minutes: fc.integer({ min: 0, max: 3 }) }),
  fc.record({
    kind: kind('alter-client-metrics'),
    subscriptions: fc.array(
      fc.record({
        name: fc.constantFrom('', 'all', 'some'),
        ops: fc.array(
          fc.record({
            kind: fc.constantFrom('set', 'delete', 'append', 'subtract'),
            name: fc.constantFrom('interval.ms', 'match', 'metrics', 'unknown'),
            value: fc.constantFrom('', '60000', 'client_id=a', 'a.,b.'),
          }),
          { maxLength: 3 },
        ),
      }),
      { maxLength: 2 },
    ),
    validateOnly: fc.boolean(),
  }),
  {
    arbitrary: fc.record({
      kind: kind('create-topics'),
      topics: fc.array(
        fc.record({
          name: aTopic,
          topicId: fc.oneof({ arbitrary: anId, weight: 9 }, { arbitrary: someBytes, weight: 1 }),
          partitions: fc.integer({ min: -1, max: 3 }),
          configs: fc.array(aConfig, { maxLength: 2 }),
        }),
        { maxLength: 3 },
      ),
      validateOnly: fc.boolean(),
    }),
    weight: 3,
  },
  fc.record({
    kind: kind('delete-topics'),
    names: fc.array(aTopic, { maxLength: 1 }),
    topicIds: fc.array(anId, { maxLength: 1 }),
  }),
  fc.record({
    kind: kind('create-partitions'),
    topics: fc.array(fc.record({ name: aTopic, totalPartitions: fc.integer({ min: -1, max: 4 }) }), { maxLength: 2 }),
    validateOnly: fc.boolean(),
  }),
  fc.record({
    kind: kind('alter-configs'),
    topics: fc.array(
      fc.record({
        name: aTopic,
        ops: fc.array(
          fc
            .tuple(fc.constantFrom('set' as const, 'delete' as const, 'append' as const, 'subtract' as const), aConfig)
            .map(([op, config]) => ({ kind: op, ...config })),
          { maxLength: 3 },
        ),
      }),
      { maxLength: 2 },
    ),
    validateOnly: fc.boolean(),
  }),
  {
    arbitrary: fc.record({
      kind: kind('delete-records'),
      partitions: fc.array(fc.record({ topicId: anId, partition: aPartition, beforeOffset: anOffset }), {
        maxLength: 3,
      }),
    }),
    weight: 2,
  },
  fc.record({
    kind: kind('init-producer-id'),
    producerId: fc.constant(-1),
    producerEpoch: fc.constant(-1),
    requestId: fc.oneof(anId, someBytes),
  }),
  {
    arbitrary: fc.record({ kind: kind('raise-rules-level'), level: fc.constant(NEWEST_RULES) }),
    weight: 3,
  },
  fc.record({ kind: kind('expire-retention') }),
  fc.record({
    kind: kind('expire-runs'),
    topics: fc.array(
      fc.record({ topicId: anId, partitions: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }) }),
      { maxLength: 3 },
    ),
  }),
  fc.record({ kind: kind('set-clock-back'), fromMs: fc.integer({ min: 0, max: 2 ** 42 }) }),
  { arbitrary: fc.record({ kind: kind('take-deletions'), maxFiles: fc.integer({ min: 0, max: 5 }) }), weight: 2 },
  fc.record({ kind: kind('confirm-deletions'), fileIds: fc.array(aFileId, { maxLength: 5 }) }),
  {
    arbitrary: fc.record({
      kind: kind('join-group'),
      groupId: aGroup,
      sessionTimeoutMs: fc.constantFrom(1, 6_000, 30_000),
      rebalanceTimeoutMs: fc.constantFrom(0, 1_000, 60_000),
      memberId: fc.oneof(fc.constant(''), aMember),
      newMemberId: fc.uuid({ version: 4 }),
      groupInstanceId: anInstance,
      protocolType: fc.constantFrom('consumer', 'consumer', 'connect', ''),
      protocols: fc.array(fc.record({ name: fc.constantFrom('range', 'sticky'), metadata: aSubscription }), {
        maxLength: 2,
      }),
      clientId: fc.string(),
      clientHost: fc.string(),
      requireKnownMemberId: fc.boolean(),
      initialRebalanceDelayMs: fc.constantFrom(0, 500),
    }),
    weight: 6,
  },
  { arbitrary: fc.record({ kind: kind('group-deadline'), groupId: aGroup }), weight: 3 },
  {
    arbitrary: fc.record({
      kind: kind('sync-group'),
      groupId: aGroup,
      generationId: fc.integer({ min: 0, max: 6 }),
      memberId: aMember,
      groupInstanceId: anInstance,
      protocolType: fc.constantFrom('', 'consumer'),
      protocolName: fc.constantFrom('', 'range'),
      assignments: fc.array(fc.record({ memberId: aMember, assignment: anAssignment }), { maxLength: 4 }),
    }),
    weight: 4,
  },
  fc.record({
    kind: kind('leave-group'),
    groupId: aGroup,
    members: fc.array(fc.record({ memberId: fc.oneof(fc.constant(''), aMember), groupInstanceId: anInstance }), {
      maxLength: 2,
    }),
  }),
  fc.record({
    kind: kind('expire-members'),
    members: fc.array(fc.record({ groupId: aGroup, memberId: aMember }), { maxLength: 3 }),
  }),
  {
    arbitrary: fc.record({
      kind: kind('commit-offsets'),
      groupId: aGroup,
      generationId: fc.integer({ min: -1, max: 4 }),
      memberId: fc.oneof(fc.constant(''), aMember),
      groupInstanceId: anInstance,
      offsets: fc.array(
        fc.record({
          topic: aTopic,
          partition: aPartition,
          offset: anOffset,
          leaderEpoch: fc.integer({ min: -1, max: 3 }),
          metadata: fc.string(),
        }),
        { maxLength: 3 },
      ),
    }),
    weight: 3,
  },
  fc.record({
    kind: kind('delete-offsets'),
    groupId: aGroup,
    partitions: fc.array(fc.record({ topic: aTopic, partition: aPartition }), { maxLength: 2 }),
  }),
  { arbitrary: consumerGroupHeartbeat, weight: 10 },
  {
    arbitrary: fc.record({
      kind: kind('install-target-assignment'),
      groupId: aGroup,
      epoch: fc.integer({ min: 0, max: 6 }),
      targets: fc.constant<InstallTargetAssignment['targets']>([]),
    }),
    weight: 6,
  },
  {
    arbitrary: fc.record({
      kind: kind('resolve-group-regexes'),
      groupId: aGroup,
      regexes: fc.array(
        fc.record({ regex: aRegex.filter((regex) => regex !== ''), topics: fc.subarray(['a', 'b', 'c']) }),
        { maxLength: 2 },
      ),
    }),
    weight: 2,
  },
  fc.record({
    kind: kind('alter-group-configs'),
    groups: fc.array(
      fc.record({
        groupId: aGroup,
        ops: fc.array(
          fc.record({
            name: fc.constantFrom('consumer.session.timeout.ms', 'consumer.heartbeat.interval.ms', 'nope'),
            value: fc.option(fc.constantFrom('1', '6000', '9000', 'x'), { nil: null }),
          }),
          { maxLength: 2 },
        ),
      }),
      { maxLength: 2 },
    ),
    validateOnly: fc.boolean(),
  }),
  fc.record({ kind: kind('delete-groups'), groupIds: fc.array(aGroup, { maxLength: 2 }) }),
  fc.record({ kind: kind('expire-offsets') }),
  {
    arbitrary: fc.record({
      kind: kind('init-transactional-producer'),
      ...aClaim,
      timeoutMs: fc.constantFrom(0, 1_000, 60_000, 900_001),
      clientId: fc.string(),
      agentId: fc.string(),
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({
      kind: kind('add-to-transaction'),
      ...aClaim,
      partitions: fc.array(fc.record({ topicId: anId, partition: aPartition }), { maxLength: 2 }),
      groupIds: fc.array(aGroup, { maxLength: 1 }),
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({
      kind: kind('commit-transaction-offsets'),
      ...aClaim,
      addsGroup: fc.boolean(),
      groupId: aGroup,
      generationId: fc.integer({ min: -1, max: 4 }),
      memberId: fc.oneof(fc.constant(''), aMember),
      groupInstanceId: anInstance,
      offsets: fc.array(
        fc.record({
          topic: aTopic,
          partition: aPartition,
          offset: anOffset,
          leaderEpoch: fc.integer({ min: -1, max: 3 }),
          metadata: fc.string(),
        }),
        { maxLength: 3 },
      ),
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({
      kind: kind('end-transaction'),
      ...aClaim,
      isCommit: fc.boolean(),
      bumpsEpoch: fc.boolean(),
    }),
    weight: 4,
  },
  fc.record({
    kind: kind('abort-transaction'),
    transactionalId: aTransactionalId,
    producerId: fc.integer({ min: -1, max: 4 }),
  }),
  fc.record({ kind: kind('expire-transactions') }),
  {
    arbitrary: fc.record({
      kind: kind('alter-user-scram-credentials'),
      upserts: fc.array(aVerifier, { maxLength: 3 }),
      deletions: fc.array(fc.record({ user: aUser, mechanism: aMechanism }), { maxLength: 2 }),
    }),
    weight: 2,
  },
  {
    arbitrary: fc.record({ kind: kind('create-acls'), bindings: fc.array(aBinding, { maxLength: 5 }) }),
    weight: 3,
  },
  {
    arbitrary: fc.record({ kind: kind('delete-acls'), filters: fc.array(anAclFilter, { maxLength: 2 }) }),
    weight: 2,
  },
  {
    arbitrary: fc.record({
      kind: kind('alter-client-quotas'),
      alterations: fc.array(
        fc.record({
          user: fc.option(fc.constantFrom('', 'alice')),
          clientId: fc.option(fc.constantFrom('', 'c')),
          ops: fc.array(aQuotaOp, { maxLength: 3 }),
        }),
        { maxLength: 3 },
      ),
      validateOnly: fc.boolean(),
    }),
    weight: 2,
  },
  fc.record({
    kind: kind('update-security-settings'),
    settings: fc.record({
      superUsers: fc.array(aPrincipal, { maxLength: 2 }),
      allowEveryoneIfNoAclFound: fc.boolean(),
      aclMode: fc.constantFrom('disabled', 'shadow', 'enforced'),
      authentication: fc.constantFrom('when-credentials-exist', 'always', 'never'),
    }),
    expectedVersion: fc.constantFrom(0, 0, 1, 2),
  }),
);

/** A choice that the test makes while it runs, because member ids and places of runs are known only then. */
export interface Step {
  command: Command;
  /** Replaces m1 to m4 in the command with ids that were really assigned, and the runs to be replaced with existing ones. */
  useReal: boolean;
  passMs: number;
}

export const aHistory: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    command: aCommand,
    useReal: fc.boolean(),
    passMs: fc.oneof(
      { arbitrary: fc.constant(0), weight: 3 },
      { arbitrary: fc.integer({ min: 0, max: 90_000 }), weight: 1 },
    ),
  }),
  { minLength: 1, maxLength: 60, size: 'max' },
);

/** The command with members and runs that exist in the state, if there are any. */
export function withReal(command: Command, state: ClusterState): Command {
  if (command.kind === 'replace-runs') {
    return withRuns(command, state);
  }
  if (command.kind === 'commit-file') {
    return withProducers(command, state);
  }
  if ('producerEpoch' in command && 'transactionalId' in command) {
    const producer = state.transactions.byId.get(command.transactionalId);
    return producer === undefined
      ? command
      : { ...command, producerId: producer.producerId, producerEpoch: producer.producerEpoch };
  }
  if (command.kind === 'consumer-group-heartbeat') {
    return withConsumer(command, state);
  }
  if (command.kind === 'install-target-assignment') {
    return targetOf(state, command.groupId) ?? command;
  }
  const members = [...state.groups.values()].flatMap((group) => [
    ...(group.consumer?.members.keys() ?? []),
    ...group.members.keys(),
    ...group.pendingMembers.keys(),
  ]);
  const memberOfSync = command.kind === 'sync-group' ? members[Number(command.memberId.slice(1)) - 1] : undefined;
  const groupOfSync = command.kind === 'sync-group' ? state.groups.get(command.groupId) : undefined;
  const generation = groupOfSync?.consumer?.members.get(memberOfSync ?? '')?.epoch ?? groupOfSync?.generation;
  return withMembers(command, members, generation);
}

/** A heartbeat as an existing member would send it: it owns the partitions assigned to it, and perhaps some that it has yet to revoke. */
function withConsumer(command: ConsumerGroupHeartbeat, state: ClusterState): ConsumerGroupHeartbeat {
  const members = [...(state.groups.get(command.groupId)?.consumer?.members.values() ?? [])];
  const member = members[Number(command.memberId.slice(1)) - 1];
  if (member === undefined) {
    return command;
  }
  const joins = command.memberEpoch === 0;
  const owned = [...member.assigned, ...(command.rackId === null ? member.revoking : [])].map(([topic, numbers]) => ({
    topicId: idFromKey(topic),
    partitions: [...numbers.keys()],
  }));
  return {
    ...command,
    memberId: member.memberId,
    memberEpoch: command.memberEpoch > 0 ? member.epoch : command.memberEpoch,
    instanceId: joins ? command.instanceId : member.instanceId,
    owned: joins ? [] : owned,
  };
}

/** The assignment that is due for a group. */
function targetOf(state: ClusterState, groupId: string): InstallTargetAssignment | undefined {
  const steps = computeTarget(state, groupId);
  for (;;) {
    const next = steps?.next();
    if (next === undefined || next.done === true) {
      return next?.value;
    }
  }
}

/** The file with each transactional batch as its producer would write it next, where the transactional id exists. */
function withProducers(command: CommitFile, state: ClusterState): CommitFile {
  const { transactions, producers } = command;
  if (!transactions || producers === null) {
    return command;
  }
  const owners = Array.from(transactions.batch, (number) =>
    state.transactions.byId.get(transactions.producers[number - 1]?.transactionalId ?? ''),
  );
  const runOf = Array.from(command.runBatches).flatMap((batches, run) => Array.from({ length: batches }, () => run));
  const nextSequence = (batch: number): number | undefined => {
    const run = runOf[batch] ?? 0;
    const topicId = command.topicIds[command.runTopic[run] ?? 0] ?? new Uint8Array(0);
    const partition = state.topics.get(idKey(topicId))?.partitions[command.runPartition[run] ?? 0];
    const owner = owners[batch];
    for (const { producerId, epoch, batches } of partition?.producers?.records() ?? []) {
      if (producerId === owner?.producerId) {
        return epoch === owner.producerEpoch ? (batches.at(-1)?.lastSequence ?? -1) + 1 : 0;
      }
    }
    return owner === undefined ? undefined : 0;
  };
  return {
    ...command,
    producers: {
      id: producers.id.map((drawn, batch) => owners[batch]?.producerId ?? drawn),
      epoch: producers.epoch.map((drawn, batch) => owners[batch]?.producerEpoch ?? drawn),
      baseSequence: producers.baseSequence.map((drawn, batch) => nextSequence(batch) ?? drawn),
    },
  };
}

/** The command with the group's members in place of m1, m2, ..., as far as there are enough. */
function withMembers(command: Command, members: readonly string[], generation?: number): Command {
  const real = (name: string): string => members[Number(name.slice(1)) - 1] ?? name;
  switch (command.kind) {
    case 'sync-group':
      return { ...command, memberId: real(command.memberId), generationId: generation ?? command.generationId };
    case 'join-group':
    case 'commit-offsets':
    case 'commit-transaction-offsets':
      return command.memberId === '' ? command : { ...command, memberId: real(command.memberId) };
    case 'leave-group':
      return {
        ...command,
        members: command.members.map((member) =>
          member.memberId === '' ? member : { ...member, memberId: real(member.memberId) },
        ),
      };
    case 'expire-members':
      return { ...command, members: command.members.map((member) => ({ ...member, memberId: real(member.memberId) })) };
    default:
      return command;
  }
}

/** The command with runs from the index, if there are any, as if a job had been planned from this state. */
function withRuns(command: ReplaceRuns, state: ClusterState): ReplaceRuns {
  const sources = new Map<string, Id>();
  const taken = new Set<string>();
  const rows: { topic: number; partition: number; base: number; end: number; bytes: number; at: number }[] = [];
  const { compaction } = command;
  let fileBytes = 0;
  for (let target = 0; target < command.targetTopic.length; target += 1) {
    const topic = (command.targetTopic[target] ?? 0) % command.topicIds.length;
    const partition = command.targetPartition[target] ?? 0;
    const found = state.topics.get(idKey(command.topicIds[topic] ?? new Uint8Array(0)))?.partitions[partition];
    const runs = found?.runs ?? null;
    if (found === undefined || runs === null || runs.length === 0 || taken.has(`${topic}-${partition}`)) {
      continue;
    }
    taken.add(`${topic}-${partition}`);
    // A compaction starts at the end of the clean part.
    const cleanRows = found.cleanedOffset <= runs.baseOffset(0) ? 1 : runs.rowOfOffset(found.cleanedOffset) + 1;
    const first = (command.targetBaseOffset[target] ?? 0) % (compaction === null ? runs.length : cleanRows);
    const last = first + 1 + ((command.targetBytes[target] ?? 0) % (runs.length - first));
    const end = firstUnstableMarker(found, runs, first, last);
    if (end === first) {
      continue;
    }
    let bytes = 0;
    for (let row = first; row < end; row += 1) {
      bytes += runs.bytes(row);
      if (!runs.isMarker(row)) {
        const fileIdOfRun = state.files.id(runs.file(row));
        sources.set(idKey(fileIdOfRun), fileIdOfRun);
      }
    }
    const endOffset = end < runs.length ? runs.baseOffset(end) : found.highWatermark;
    rows.push({ topic, partition, base: runs.baseOffset(first), end: endOffset, bytes, at: fileBytes });
    fileBytes += bytes;
  }
  const bytesLeft = (bytes: number): number => (compaction === null ? bytes : Math.ceil(bytes / 2));
  return rows.length === 0
    ? command
    : {
        ...command,
        level: compaction === null ? command.level : 2,
        fileBytes,
        sourceFileIds: [...sources.values()],
        targetTopic: Uint32Array.from(rows, ({ topic }) => topic),
        targetPartition: Uint32Array.from(rows, ({ partition }) => partition),
        targetBaseOffset: Float64Array.from(rows, ({ base }) => base),
        targetEndOffset: Float64Array.from(rows, ({ end }) => end),
        targetPosition: Float64Array.from(rows, ({ at }) => at),
        targetBytes: Float64Array.from(rows, ({ bytes }) => bytesLeft(bytes)),
        compaction: compaction && {
          targetSourceBytes: Float64Array.from(rows, ({ bytes }) => bytes),
          targetMaxTimestampMs: compaction.targetMaxTimestampMs && Float64Array.from(rows, () => -1),
          targetDeleteHorizonMs: compaction.targetDeleteHorizonMs && Float64Array.from(rows, ({ bytes }) => bytes),
          ...(compaction.isAbortedRemoved === true ? { isAbortedRemoved: true } : {}),
        },
      };
}

/** The first of these rows that is a marker behind the last stable offset, or their end. */
function firstUnstableMarker(partition: Partition, runs: RunIndex, first: number, end: number): number {
  for (let row = first; row < end; row += 1) {
    if (runs.isMarker(row) && runs.baseOffset(row) >= lastStableOffset(partition)) {
      return row;
    }
  }
  return end;
}

/** The error codes that an answer may contain. */
export const KNOWN_CODES: ReadonlySet<number> = new Set(Object.values(ErrorCode));
