import { expect, test } from 'vitest';
import { NEWEST_RULES, OLDEST_RULES } from '../model/rules.ts';
import { replayEntry } from '../replay.ts';
import { createState } from '../state/cluster-state.ts';
import { decodeEntry, encodeEntry } from './entry.ts';
import { encodeFenceEntry } from './fence-entry.ts';

// The fence keeps the later of the two times.
test.each([OLDEST_RULES, NEWEST_RULES])('a fence replays at rules level %i', (level) => {
  const raised = encodeEntry({ nowMs: 5_000, rules: level, commands: [{ kind: 'raise-rules-level', level }] });
  for (const [nowMs, expectedMs] of [
    [4_000, 5_000],
    [6_000, 6_000],
  ] as const) {
    const fence = encodeFenceEntry(raised, nowMs);
    expect(decodeEntry(fence)).toMatchObject({ nowMs: expectedMs, rules: level, commands: [] });
    const state = createState('cluster', OLDEST_RULES);
    for (const entry of [raised, fence, encodeFenceEntry(fence, nowMs)]) {
      replayEntry(state, entry);
    }
    expect(state.rules).toBe(level);
  }
});
