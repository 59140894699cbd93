// The persisted formats, byte for byte. A difference means that journals and snapshots of running clusters could no longer be read: raise
// the version, keep reading the old one, and add a file for the new version. Never edit a golden file.
import { describe, expect, it } from 'vitest';
import { apply } from '../apply.ts';
import type { CommandKind, CommandOf } from '../model/command.ts';
import { idKey } from '../model/ids.ts';
import { type ClusterState, createState } from '../state/cluster-state.ts';
import { fileId, id, START_MS } from '../testing/cluster.ts';
import { TestConsumerGroup } from '../testing/consumer-groups.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { SAMPLE_CHANGES, SAMPLE_CLIENT } from '../testing/sample-changes.ts';
import { SAMPLE_COMMANDS } from '../testing/sample-commands.ts';
import { TransactionalCluster } from '../testing/transactions.ts';
import { decodeEntry, decodeEntryHead, encodeEntry } from './entry.ts';
import goldenConsumerGroups from './golden/consumer-groups.json' with { type: 'json' };
import goldenEntriesOfRules3 from './golden/entries-rules-3.json' with { type: 'json' };
import goldenEntriesOfRules4 from './golden/entries-rules-4.json' with { type: 'json' };
import goldenEntriesOfRules6 from './golden/entries-rules-6.json' with { type: 'json' };
import goldenEntries3 from './golden/entries-v3.json' with { type: 'json' };
import goldenEntries4 from './golden/entries-v4.json' with { type: 'json' };
import goldenSnapshotOfRules3 from './golden/snapshot-rules-3.json' with { type: 'json' };
import goldenSnapshotOfRules4 from './golden/snapshot-rules-4.json' with { type: 'json' };
import goldenSnapshot3 from './golden/snapshot-v3.json' with { type: 'json' };
import golden1 from './golden/v1.json' with { type: 'json' };
import golden2 from './golden/v2.json' with { type: 'json' };
import { decodeSnapshot, encodeSnapshot } from './snapshot.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));

type Samples = { [K in CommandKind]: CommandOf<K> };
/** The kinds that rules level 3 added. Their entries and snapshots are in files of their own. */
const KINDS_OF_RULES_3 = [
  'alter-user-scram-credentials',
  'create-acls',
  'delete-acls',
  'alter-client-quotas',
  'update-security-settings',
] as const satisfies readonly CommandKind[];
/** Those that level 4 added. */
const KINDS_OF_RULES_4 = [
  'init-transactional-producer',
  'add-to-transaction',
  'commit-transaction-offsets',
  'end-transaction',
  'abort-transaction',
  'expire-transactions',
  'set-offsets-retention',
  'alter-client-metrics',
] as const satisfies readonly CommandKind[];
/** Those of the new consumer group protocol, in the same level. */
const KINDS_OF_CONSUMER_GROUPS = [
  'consumer-group-heartbeat',
  'install-target-assignment',
  'resolve-group-regexes',
  'alter-group-configs',
] as const satisfies readonly CommandKind[];
/** Those that level 6 added. */
const KINDS_OF_RULES_6 = ['set-max-uncompressed-batch-bytes', 'expire-runs'] as const satisfies readonly CommandKind[];
const kindsBeforeRules3 = (Object.keys(SAMPLE_COMMANDS) as CommandKind[]).filter(
  (kind) =>
    ![...KINDS_OF_RULES_3, ...KINDS_OF_RULES_4, ...KINDS_OF_CONSUMER_GROUPS, ...KINDS_OF_RULES_6].some(
      (later) => later === kind,
    ),
);
/** The kinds that existed when version 2 was introduced. Later kinds are written only in version 3. */
const kinds = kindsBeforeRules3.filter(
  (kind) => kind !== 'set-clock-back' && kind !== 'raise-rules-level' && kind !== 'replace-runs',
);
/** Version 2 added the cluster's mode. */
const samples2: Samples = {
  ...SAMPLE_COMMANDS,
  'update-settings': {
    kind: 'update-settings',
    settings: { ...SAMPLE_COMMANDS['update-settings'].settings, mode: 'low-latency' },
  },
};
const meter1 = { files: 1, storedBytes: 850, uncompressedBytes: 5_000_000_650, records: 325, clusterMinutes: 1 };
const meter2 = { ...meter1, clusterMinutes: 3, devMinutes: 1, lowLatencyMinutes: 2 };

/** The state after all sample commands. */
function sampleState(samples: Samples) {
  const state = createState('golden');
  for (const kind of kinds) {
    apply(state, samples[kind], START_MS);
  }
  return state;
}

/** Merges the last runs of a partition into one run of another file. */
function mergedRun(state: ClusterState): CommandOf<'replace-runs'> {
  const partition = state.topics.get(idKey(id(1)))?.partitions[0];
  const runs = partition?.runs;
  if (partition === undefined || runs === undefined || runs === null) {
    throw new Error('the sample has runs');
  }
  return {
    ...SAMPLE_COMMANDS['replace-runs'],
    level: 1,
    sourceFileIds: [state.files.id(runs.file(0))],
    targetTopic: Uint32Array.of(0),
    targetPartition: Uint32Array.of(0),
    targetBaseOffset: Float64Array.of(runs.baseOffset(0)),
    targetEndOffset: Float64Array.of(runs.length > 1 ? runs.baseOffset(1) : partition.highWatermark),
    targetPosition: Float64Array.of(0),
    targetBytes: Float64Array.of(runs.bytes(0)),
    compaction: null,
  };
}

describe('version 1', () => {
  const entries: Readonly<Record<string, string>> = golden1.entries;

  it.each(kinds)('of a journal entry with %s is still read: its minutes are standard ones', (kind) => {
    const meter = { ...meter1, devMinutes: 0, lowLatencyMinutes: 0 };
    const bytes = fromHex(entries[kind] ?? '');
    const head = { nowMs: START_MS, rules: 1, meter, changes: [] };
    expect(decodeEntry(bytes)).toEqual({ ...head, commands: [SAMPLE_COMMANDS[kind]] });
    expect(decodeEntryHead(bytes)).toEqual(head);
  });

  it('of a snapshot is still read: the cluster is a standard one', () => {
    const restored = decodeSnapshot(fromHex(golden1.snapshot));
    expect(restored.settings.mode).toBe('standard');
    expect(hex(encodeSnapshot(restored))).toBe(hex(encodeSnapshot(sampleState(SAMPLE_COMMANDS))));
  });
});

describe('version 2', () => {
  const entries: Readonly<Record<string, string>> = golden2.entries;

  it.each(kinds)('of a journal entry with %s is still written and read', (kind) => {
    const entry = { nowMs: START_MS, rules: 1 as const, commands: [samples2[kind]], meter: meter2 };
    expect(hex(encodeEntry(entry))).toBe(entries[kind]);
    expect(decodeEntry(fromHex(entries[kind] ?? ''))).toEqual({ ...entry, changes: [] });
  });

  it('of a snapshot is still written and read', () => {
    expect(hex(encodeSnapshot(sampleState(samples2)))).toBe(golden2.snapshot);
    expect(hex(encodeSnapshot(decodeSnapshot(fromHex(golden2.snapshot))))).toBe(golden2.snapshot);
  });
});

describe('version 3', () => {
  const entries: Readonly<Record<string, string>> = goldenEntries3;

  it.each(kindsBeforeRules3)('of a journal entry with %s is still written and read', (kind) => {
    const entry = { nowMs: START_MS, rules: 2 as const, commands: [samples2[kind]], meter: meter2 };
    expect(hex(encodeEntry(entry))).toBe(entries[kind]);
    expect(decodeEntry(fromHex(entries[kind] ?? ''))).toEqual({ ...entry, changes: [] });
  });

  it('of a snapshot is still written and read', () => {
    const state = sampleState(samples2);
    apply(state, SAMPLE_COMMANDS['raise-rules-level'], START_MS);
    const file = { ...samples2['commit-file'], producers: null };
    for (const number of [21, 22, 23]) {
      apply(state, { ...file, fileId: fileId(number, START_MS) }, START_MS + number);
    }
    // Dead files, one of them leased, and a slot that is reused.
    const partitions = [1, 0].map((partition) => ({ topicId: id(1), partition, beforeOffset: -1 }));
    apply(state, { kind: 'delete-records', partitions }, START_MS);
    apply(state, { kind: 'take-deletions', maxFiles: 2 }, START_MS + 60_000);
    apply(state, { kind: 'confirm-deletions', fileIds: [fileId(21, START_MS)] }, START_MS + 60_000);
    apply(state, { ...samples2['commit-file'], fileId: fileId(24, START_MS) }, START_MS + 60_000);
    // Files of two levels.
    apply(state, mergedRun(state), START_MS + 60_000);
    // A compacted partition.
    const { targetBytes, ...merged } = mergedRun(state);
    const compaction = {
      targetSourceBytes: targetBytes,
      targetMaxTimestampMs: null,
      targetDeleteHorizonMs: Float64Array.of(START_MS),
    };
    const compacted = {
      ...merged,
      level: 2,
      fileId: fileId(32, START_MS),
      targetBytes: Float64Array.of(61),
      compaction,
    };
    expect(apply(state, compacted, START_MS + 60_000).answer.outcome).toBe('applied');
    // A mark for granted producer ids.
    apply(state, { ...SAMPLE_COMMANDS['init-producer-id'], requestId: id(77) }, START_MS + 60_000);
    expect(hex(encodeSnapshot(state))).toBe(goldenSnapshot3.snapshot);
    expect(hex(encodeSnapshot(decodeSnapshot(fromHex(goldenSnapshot3.snapshot))))).toBe(goldenSnapshot3.snapshot);
  });
});

describe('version 4', () => {
  const entries: Readonly<Record<string, string>> = goldenEntries4;

  it.each(SAMPLE_CHANGES)('of a journal entry with $kind is still written and read', (change) => {
    const changes = [{ client: SAMPLE_CLIENT, changes: [change, change] }];
    const head = { nowMs: START_MS, rules: 4 as const, meter: meter2, changes };
    const entry = { ...head, commands: [SAMPLE_COMMANDS['delete-groups']] };
    expect(hex(encodeEntry(entry))).toBe(entries[change.kind]);
    expect(decodeEntry(fromHex(entries[change.kind] ?? ''))).toEqual(entry);
    expect(decodeEntryHead(fromHex(entries[change.kind] ?? ''))).toEqual(head);
  });

  it('is not written below rules level 4, which earlier releases read', () => {
    const changes = [{ client: SAMPLE_CLIENT, changes: SAMPLE_CHANGES }];
    expect(() => encodeEntry({ nowMs: START_MS, rules: 3, commands: [], changes })).toThrow('cannot name changes');
  });
});

describe('rules level 3', () => {
  const entries: Readonly<Record<string, string>> = goldenEntriesOfRules3;

  it.each(KINDS_OF_RULES_3)('of a journal entry with %s is still written and read', (kind) => {
    const entry = { nowMs: START_MS, rules: 3 as const, commands: [SAMPLE_COMMANDS[kind]], meter: meter2 };
    expect(hex(encodeEntry(entry))).toBe(entries[kind]);
    expect(decodeEntry(fromHex(entries[kind] ?? ''))).toEqual({ ...entry, changes: [] });
  });

  it('of a snapshot with users, ACLs and quotas is still written and read', () => {
    const state = createState('golden');
    apply(state, { kind: 'raise-rules-level', level: 3 }, START_MS);
    for (const kind of KINDS_OF_RULES_3) {
      expect(apply(state, SAMPLE_COMMANDS[kind], START_MS).changed).toBe(true);
    }
    expect(hex(encodeSnapshot(state))).toBe(goldenSnapshotOfRules3.snapshot);
    expect(hex(encodeSnapshot(decodeSnapshot(fromHex(goldenSnapshotOfRules3.snapshot))))).toBe(
      goldenSnapshotOfRules3.snapshot,
    );
  });
});

describe('rules level 6', () => {
  const entries: Readonly<Record<string, string>> = goldenEntriesOfRules6;

  it.each(KINDS_OF_RULES_6)('of a journal entry with %s is still written and read', (kind) => {
    const entry = { nowMs: START_MS, rules: 6 as const, commands: [SAMPLE_COMMANDS[kind]], meter: meter2 };
    expect(hex(encodeEntry(entry))).toBe(entries[kind]);
    expect(decodeEntry(fromHex(entries[kind] ?? ''))).toEqual({ ...entry, changes: [] });
  });
});

describe('rules level 4', () => {
  const entries: Readonly<Record<string, string>> = goldenEntriesOfRules4;
  const { compaction } = SAMPLE_COMMANDS['replace-runs'];
  const withoutAborted = compaction && { ...compaction, isAbortedRemoved: true as const };
  const transactional: Samples = {
    ...SAMPLE_COMMANDS,
    'register-agent': { ...SAMPLE_COMMANDS['register-agent'], keyId: SAMPLE_CLIENT.agentKeyId },
    'commit-file': {
      ...SAMPLE_COMMANDS['commit-file'],
      transactions: {
        batch: Uint32Array.of(0, 1, 2, 0),
        producers: [
          { transactionalId: 'überweisungen-1', addsPartitions: true },
          { transactionalId: 'other', addsPartitions: false },
        ],
      },
    },
    'replace-runs': { ...SAMPLE_COMMANDS['replace-runs'], compaction: withoutAborted },
  };

  it.each([...KINDS_OF_RULES_4, 'commit-file', 'register-agent', 'replace-runs'] as const)(
    'of a journal entry with %s is still written and read',
    (kind) => {
      const entry = { nowMs: START_MS, rules: 4 as const, commands: [transactional[kind]], meter: meter2 };
      expect(hex(encodeEntry(entry))).toBe(entries[kind]);
      expect(decodeEntry(fromHex(entries[kind] ?? ''))).toEqual({ ...entry, changes: [] });
    },
  );

  it('of a snapshot with settings of this level is still written and read', () => {
    const state = createState('golden');
    apply(state, { kind: 'raise-rules-level', level: 4 }, START_MS);
    apply(state, SAMPLE_COMMANDS['set-offsets-retention'], START_MS);
    apply(state, SAMPLE_COMMANDS['alter-client-metrics'], START_MS);
    const golden = goldenSnapshotOfRules4.settings;
    expect(hex(encodeSnapshot(state))).toBe(golden);
    expect(decodeSnapshot(fromHex(golden)).settings).toEqual(state.settings);
  });

  it('of a snapshot with open and ended transactions is still written and read', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('überweisungen-1');
    for (const isCommit of [false, true]) {
      producer.write(0, 3);
      producer.end(isCommit);
    }
    producer.write(1, 2);
    producer.add([2], ['other']);
    producer.commitOffset('payments', 250);
    cluster.producer('ended').end(false);
    expect(hex(encodeSnapshot(cluster.state))).toBe(goldenSnapshotOfRules4.snapshot);
    expect(hex(encodeSnapshot(decodeSnapshot(fromHex(goldenSnapshotOfRules4.snapshot))))).toBe(
      goldenSnapshotOfRules4.snapshot,
    );
  });
});

describe('consumer groups of the new protocol', () => {
  const entries: Readonly<Record<string, string>> = goldenConsumerGroups.entries;

  it.each(KINDS_OF_CONSUMER_GROUPS)('of a journal entry with %s is still written and read', (kind) => {
    const entry = { nowMs: START_MS, rules: 4 as const, commands: [SAMPLE_COMMANDS[kind]], meter: meter2 };
    expect(hex(encodeEntry(entry))).toBe(entries[kind]);
    expect(decodeEntry(fromHex(entries[kind] ?? ''))).toEqual({ ...entry, changes: [] });
  });

  it('of a snapshot with members that move partitions is still written and read', () => {
    const group = new TestConsumerGroup();
    group.cluster.do(SAMPLE_COMMANDS['alter-group-configs']);
    group.join('a', ['t'], { instanceId: 'i', rackId: 'r', serverAssignor: 'range', subscribedRegex: 'u.*' });
    group.cluster.do({ kind: 'resolve-group-regexes', groupId: 'g', regexes: [{ regex: 'u.*', topics: ['u'] }] });
    group.settle();
    group.join('b');
    group.assign();
    group.beat('a');
    group.beat('b');
    expect(group.member('a').revoking.size).toBe(1);
    expect(hex(encodeSnapshot(group.cluster.state))).toBe(goldenConsumerGroups.snapshot);
    const restored = decodeSnapshot(fromHex(goldenConsumerGroups.snapshot));
    expect(hex(encodeSnapshot(restored))).toBe(goldenConsumerGroups.snapshot);
    expect(brokenInvariants(restored)).toEqual([]);
  });
});
