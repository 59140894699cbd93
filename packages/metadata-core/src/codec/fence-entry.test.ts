import { expect, test } from 'vitest';
import { NEWEST_RULES, OLDEST_RULES, type RulesVersion } from '../model/rules.ts';
import { replayEntry } from '../replay.ts';
import { createState } from '../state/cluster-state.ts';
import { decodeEntry, encodeEntry } from './entry.ts';
import { encodeFenceEntry } from './fence-entry.ts';

const LEVELS = Array.from({ length: NEWEST_RULES }, (_, index) => (index + OLDEST_RULES) as RulesVersion);

test.each(LEVELS)(
  'a fence after the entry that raised a cluster to rules level %i can be replayed, and has the later of both times',
  (level) => {
    const raised = encodeEntry({ nowMs: 5_000, rules: level, commands: [{ kind: 'raise-rules-level', level }] });
    for (const [nowMs, expectedMs] of [
      [4_000, 5_000],
      [6_000, 6_000],
    ] as const) {
      const fence = encodeFenceEntry(raised, nowMs);
      expect(decodeEntry(fence)).toMatchObject({ nowMs: expectedMs, rules: level, commands: [] });
      const state = createState('cluster');
      for (const entry of [raised, fence, encodeFenceEntry(fence, nowMs)]) {
        replayEntry(state, entry);
      }
      expect(state.rules).toBe(level);
    }
  },
);
