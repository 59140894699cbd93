// The persisted formats, byte for byte. A difference means that journals and snapshots of running clusters could no longer be read: raise
// the version, keep reading the one before, and add a file for the new version (decision 0058). Never change a line of a golden file.
import { describe, expect, it } from 'vitest';
import { apply } from '../apply.ts';
import type { Command, CommandKind, CommandOf } from '../model/command.ts';
import { idKey } from '../model/ids.ts';
import { NEWEST_RULES, OLDEST_RULES } from '../model/rules.ts';
import { replayEntry } from '../replay.ts';
import { type ClusterState, createState } from '../state/cluster-state.ts';
import { commitOf, fileId, id, START_MS } from '../testing/cluster.ts';
import { TestConsumerGroup } from '../testing/consumer-groups.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { SAMPLE_CHANGES, SAMPLE_CLIENT } from '../testing/sample-changes.ts';
import { SAMPLE_COMMANDS } from '../testing/sample-commands.ts';
import { TransactionalCluster } from '../testing/transactions.ts';
import { decodeEntry, decodeEntryHead, encodeEntry } from './entry.ts';
import goldenChanges from './golden/changes.json' with { type: 'json' };
import goldenEntries from './golden/entries.json' with { type: 'json' };
import goldenOutdated from './golden/outdated.json' with { type: 'json' };
import goldenSnapshots from './golden/snapshots.json' with { type: 'json' };
import { decodeSnapshot, encodeSnapshot } from './snapshot.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));

const meter = {
  files: 1,
  storedBytes: 850,
  uncompressedBytes: 5_000_000_650,
  records: 325,
  clusterMinutes: 3,
  devMinutes: 1,
  lowLatencyMinutes: 2,
};
const { compaction } = SAMPLE_COMMANDS['replace-runs'];
/** By name: one of every kind, and those with more than the sample of their kind. */
const COMMANDS: Readonly<Record<string, Command>> = {
  ...SAMPLE_COMMANDS,
  'update-settings of all': {
    kind: 'update-settings',
    settings: { ...SAMPLE_COMMANDS['update-settings'].settings, mode: 'low-latency' },
  },
  'commit-file in transactions': {
    ...SAMPLE_COMMANDS['commit-file'],
    transactions: {
      batch: Uint32Array.of(0, 1, 2, 0),
      producers: [
        { transactionalId: 'überweisungen-1', addsPartitions: true },
        { transactionalId: 'other', addsPartitions: false },
      ],
    },
  },
  'replace-runs without aborted batches': {
    ...SAMPLE_COMMANDS['replace-runs'],
    compaction: compaction && { ...compaction, isAbortedRemoved: true },
  },
};

/** A cluster with data, files of all levels, and files to delete. */
function filesState(): ClusterState {
  const state = createState('golden');
  const kinds: readonly CommandKind[] = ['register-agent', 'minute-mark', 'create-topics', 'init-producer-id'];
  for (const kind of [...kinds, 'update-settings of all', 'join-group', 'commit-offsets']) {
    apply(state, COMMANDS[kind] ?? SAMPLE_COMMANDS['minute-mark'], START_MS);
  }
  const commit = (number: number, atMs: number, producer?: readonly [number, number, number]): void => {
    const runs = [0, 1].map((partition) => ({
      partition,
      batches: [{ records: 3, ...(producer && { producer }) }, { records: 2 }],
    }));
    const { batchErrorCode } = apply(state, commitOf(fileId(number, START_MS), runs), atMs).answer;
    expect(batchErrorCode.every((code) => code === 0)).toBe(true);
  };
  for (const number of [21, 22, 23]) {
    commit(number, START_MS + number);
  }
  // Dead files, one of them leased, and a slot that is reused.
  const partitions = [1, 0].map((partition) => ({ topicId: id(1), partition, beforeOffset: -1 }));
  apply(state, { kind: 'delete-records', partitions }, START_MS);
  apply(state, { kind: 'take-deletions', maxFiles: 2 }, START_MS + 60_000);
  apply(state, { kind: 'confirm-deletions', fileIds: [fileId(21, START_MS)] }, START_MS + 60_000);
  commit(24, START_MS + 60_000, [1, 0, 0]);
  expect(apply(state, mergedRun(state), START_MS + 60_000).answer).toEqual({ outcome: 'applied', reason: '' });
  // A compacted partition.
  const ops = [{ kind: 'set' as const, name: 'cleanup.policy', value: 'compact' }];
  apply(state, { kind: 'alter-configs', topics: [{ name: 'orders', ops }], validateOnly: false }, START_MS + 60_000);
  const { targetBytes, ...merged } = mergedRun(state);
  const compacted = {
    ...merged,
    level: 2,
    fileId: fileId(32, START_MS),
    fileBytes: 61,
    targetBytes: Float64Array.of(61),
    compaction: {
      targetSourceBytes: targetBytes,
      targetMaxTimestampMs: null,
      targetDeleteHorizonMs: Float64Array.of(START_MS),
    },
  };
  expect(apply(state, compacted, START_MS + 60_000).answer).toEqual({ outcome: 'applied', reason: '' });
  // A mark for granted producer ids.
  apply(state, { ...SAMPLE_COMMANDS['init-producer-id'], requestId: id(77) }, START_MS + 60_000);
  return state;
}

/** Merges the first run of a partition into one run of another file. */
function mergedRun(state: ClusterState): CommandOf<'replace-runs'> {
  const partition = state.topics.get(idKey(id(1)))?.partitions[0];
  const runs = partition?.runs;
  if (partition === undefined || runs === undefined || runs === null) {
    throw new Error('the sample has runs');
  }
  return {
    ...SAMPLE_COMMANDS['replace-runs'],
    level: 1,
    fileBytes: runs.bytes(0),
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

/** A cluster with users, ACLs, quotas and the settings of level 6. */
function settingsState(): ClusterState {
  const state = createState('golden');
  for (const kind of [
    'alter-user-scram-credentials',
    'create-acls',
    'delete-acls',
    'alter-client-quotas',
    'update-security-settings',
    'set-offsets-retention',
    'set-max-uncompressed-batch-bytes',
    'alter-client-metrics',
  ] as const) {
    expect(apply(state, SAMPLE_COMMANDS[kind] as Command, START_MS).changed).toBe(true);
  }
  return state;
}

/** Open and ended transactions. */
function transactionsState(): ClusterState {
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
  return cluster.state;
}

/** A group of the new protocol whose members move partitions. */
function consumerGroupState(): ClusterState {
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
  return group.cluster.state;
}

describe('an entry', () => {
  const entries: Readonly<Record<string, string>> = goldenEntries;

  it.each(Object.keys(COMMANDS))('with %s is written and read', (name) => {
    const commands = [COMMANDS[name] ?? SAMPLE_COMMANDS['minute-mark']];
    const head = { nowMs: START_MS, rules: NEWEST_RULES, meter, changes: [] };
    expect(hex(encodeEntry({ ...head, commands }))).toBe(entries[name]);
    expect(decodeEntry(fromHex(entries[name] ?? ''))).toEqual({ ...head, commands });
    expect(decodeEntryHead(fromHex(entries[name] ?? ''))).toEqual(head);
  });

  it.each(SAMPLE_CHANGES)('that names $kind by a client is written and read', (change) => {
    const changes: Readonly<Record<string, string>> = goldenChanges;
    const head = {
      nowMs: START_MS,
      rules: NEWEST_RULES,
      meter,
      changes: [{ client: SAMPLE_CLIENT, changes: [change, change] }],
    };
    const entry = { ...head, commands: [SAMPLE_COMMANDS['delete-groups']] };
    expect(hex(encodeEntry(entry))).toBe(changes[change.kind]);
    expect(decodeEntry(fromHex(changes[change.kind] ?? ''))).toEqual(entry);
    expect(decodeEntryHead(fromHex(changes[change.kind] ?? ''))).toEqual(head);
  });
});

describe('a snapshot', () => {
  const snapshots: Readonly<Record<string, string>> = goldenSnapshots;

  it.each([
    ['files', filesState],
    ['settings', settingsState],
    ['transactions', transactionsState],
    ['consumer groups', consumerGroupState],
  ])('of %s is written and read', (name, make) => {
    const state = make();
    expect(hex(encodeSnapshot(state))).toBe(snapshots[name]);
    const restored = decodeSnapshot(fromHex(snapshots[name] ?? ''));
    expect(hex(encodeSnapshot(restored))).toBe(snapshots[name]);
    expect(brokenInvariants(restored)).toEqual([]);
  });
});

describe('data from before the oldest level', () => {
  const { entries, snapshots } = goldenOutdated;
  const WHAT_TO_DO =
    /this release reads rules levels 5 and 6\. Convert it with commit 20bb6d968dd4: run .*"snapshot written"/;

  it.each(Object.entries(entries))('refuses an entry of %s, naming the converting commit', (_, bytes) => {
    expect(() => replayEntry(createState('other', OLDEST_RULES), fromHex(bytes))).toThrow(WHAT_TO_DO);
    expect(() => decodeEntryHead(fromHex(bytes))).toThrow(WHAT_TO_DO);
  });

  it.each(Object.entries(snapshots))('refuses a snapshot of %s, naming the converting commit', (_, bytes) => {
    expect(() => decodeSnapshot(fromHex(bytes))).toThrow(WHAT_TO_DO);
  });
});
