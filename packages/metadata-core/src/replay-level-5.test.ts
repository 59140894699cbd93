import { expect, test } from 'vitest';
import { encodeEntry } from './codec/entry.ts';
import { meterOf } from './codec/entry-meter.ts';
import type { Command } from './model/command.ts';
import { OLDEST_RULES } from './model/rules.ts';
import { partitionBounds } from './queries/locate.ts';
import { replayEntry } from './replay.ts';
import { createState } from './state/cluster-state.ts';
import { commitOf, fileId, id, START_MS } from './testing/cluster.ts';

const raise: Command = { kind: 'raise-rules-level', level: OLDEST_RULES };
const createTopic = (partitions: number): Command => ({
  kind: 'create-topics',
  topics: [{ name: 'orders', topicId: id(1), partitions, configs: [{ name: 'retention.ms', value: '1000' }] }],
  validateOnly: false,
});

function entryOf(nowMs: number, commands: Command[], metered = {}): Uint8Array {
  return encodeEntry({ nowMs, rules: OLDEST_RULES, commands, meter: { ...meterOf([]), ...metered } });
}

test('replays ExpireRetention with the runs that it removed', () => {
  const state = createState('old', OLDEST_RULES);
  const commit = commitOf(fileId(1, START_MS), [{ batches: [{ records: 3 }] }]);
  const metered = { files: 1, storedBytes: 100, uncompressedBytes: 150, records: 3 };
  replayEntry(state, entryOf(START_MS, [raise, createTopic(1)]));
  replayEntry(state, entryOf(START_MS, [commit], metered));
  expect(partitionBounds(state, id(1), 0)).toMatchObject({ logStartOffset: 0, highWatermark: 3 });
  replayEntry(state, entryOf(START_MS + 1_001, [{ kind: 'expire-retention' }]));
  expect(partitionBounds(state, id(1), 0)).toMatchObject({ logStartOffset: 3, highWatermark: 3 });
});

test('refuses what is beyond the limits, naming the commit', () => {
  const state = createState('old', OLDEST_RULES);
  expect(() => replayEntry(state, entryOf(START_MS, [raise, createTopic(10_001)]))).toThrow(
    /create-topics beyond the limits of level 6, .* commit 20bb6d968dd4/,
  );
});
