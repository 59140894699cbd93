// Property tests of whole histories: random commands, in random order, at random times.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apply } from './apply.ts';
import { decodeEntry, decodeEntryHead, encodeEntry } from './codec/entry.ts';
import { meterOf } from './codec/entry-meter.ts';
import { seal } from './codec/envelope.ts';
import { decodeSnapshot, encodeSnapshot } from './codec/snapshot.ts';
import type { Command } from './model/command.ts';
import { NEWEST_RULES, OLDEST_RULES } from './model/rules.ts';
import { replayEntry } from './replay.ts';
import { createState } from './state/cluster-state.ts';
import { aCommand, aHistory, KNOWN_CODES, type Step, withReal } from './testing/arbitrary-commands.ts';
import { id, START_MS } from './testing/cluster.ts';
import { brokenInvariants } from './testing/invariants.ts';

const aMeter = fc.record({
  files: fc.nat(),
  storedBytes: fc.maxSafeNat(),
  uncompressedBytes: fc.maxSafeNat(),
  records: fc.maxSafeNat(),
  clusterMinutes: fc.nat(),
  devMinutes: fc.nat(),
  lowLatencyMinutes: fc.nat(),
});

/** Every history starts with two topics, so that most commits find a partition. */
const OPENING: readonly Step[] = [
  {
    command: {
      kind: 'create-topics',
      topics: [
        { name: 'a', topicId: id(1), partitions: 2, configs: [{ name: 'retention.ms', value: '-1' }] },
        { name: 'b', topicId: id(2), partitions: 3, configs: [{ name: 'retention.ms', value: '100000' }] },
      ],
      validateOnly: false,
    },
    useReal: false,
    passMs: 0,
  },
];

/** Every error code anywhere in an answer. */
function codesIn(value: unknown, key = ''): number[] {
  if (typeof value === 'number') {
    return /errorCodes?$/i.test(key) ? [value] : [];
  }
  if (Array.isArray(value) || value instanceof Int32Array) {
    return [...value].flatMap((item: unknown) => codesIn(item, key));
  }
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    return Object.entries(value).flatMap(([name, item]) => codesIn(item, name));
  }
  return [];
}

/** Runs a history and passes the entry of each command that changed something to `journal`. */
function run(history: readonly Step[], journal: (entry: Uint8Array) => void, each?: (command: Command) => void) {
  const state = createState('history');
  let nowMs = START_MS;
  for (const { command: drawn, useReal, passMs } of [...OPENING, ...history]) {
    nowMs += passMs;
    const command = useReal ? withReal(drawn, state) : drawn;
    const before = encodeSnapshot(state);
    const outcome = apply(state, command, nowMs);
    if (outcome.changed) {
      journal(encodeEntry({ nowMs, rules: state.rules, commands: [command], meter: meterOf([outcome.effects]) }));
    } else {
      expect(encodeSnapshot(state), `${command.kind} said that nothing changed`).toEqual(before);
      expect(outcome.effects).toEqual({});
    }
    for (const code of codesIn(outcome.answer)) {
      expect(KNOWN_CODES.has(code), `${command.kind} answered code ${code}`).toBe(true);
    }
    expect(brokenInvariants(state), `after ${command.kind}`).toEqual([]);
    each?.(command);
  }
  return state;
}

describe('any history', () => {
  it('never throws, keeps all invariants and reports changes', () => {
    fc.assert(
      fc.property(aHistory, (history) => {
        run(history, () => {});
      }),
      { numRuns: 120 },
    );
  });

  it('replays to the same state from the start or a snapshot', () => {
    fc.assert(
      fc.property(aHistory, fc.nat(), (history, cut) => {
        const entries: Uint8Array[] = [];
        const final = encodeSnapshot(run(history, (entry) => entries.push(entry)));
        const full = createState('history');
        let restored = createState('history');
        for (const [at, entry] of entries.entries()) {
          if (at === cut % entries.length) {
            restored = decodeSnapshot(encodeSnapshot(full));
          }
          replayEntry(full, entry);
          replayEntry(restored, entry);
        }
        expect(encodeSnapshot(full)).toEqual(final);
        expect(encodeSnapshot(restored)).toEqual(final);
      }),
      { numRuns: 80 },
    );
  });
});

describe('journal entries', () => {
  it('return every command as it was written', () => {
    fc.assert(
      fc.property(
        fc.array(
          aCommand.filter((command) => command.kind !== 'commit-file' || command.fileBytes > 100),
          { maxLength: 5 },
        ),
        fc.nat(),
        fc.constantFrom(OLDEST_RULES, NEWEST_RULES),
        aMeter,
        (commands, nowMs, rules, meter) => {
          const entry = encodeEntry({ nowMs, rules, commands, meter });
          expect(decodeEntry(entry)).toEqual({ nowMs, rules, commands, meter, changes: [] });
          expect(decodeEntryHead(entry)).toEqual({ nowMs, rules, meter, changes: [] });
        },
      ),
      { numRuns: 300 },
    );
  });

  it("are refused at another level than the cluster's", () => {
    const entry = encodeEntry({ nowMs: START_MS, rules: OLDEST_RULES, commands: [] });
    expect(() => replayEntry(createState('other'), entry)).toThrow(
      'made at rules level 5, but the cluster is at level 6',
    );
  });

  it('with unknown rules are refused with what to do', () => {
    const entry = seal(3, (to) => {
      to.unsigned(START_MS);
      to.unsigned(NEWEST_RULES + 1);
    });
    expect(() => replayEntry(createState('other'), entry)).toThrow('Run the release that wrote it, or a later one.');
  });

  it('are refused if a replay accepts other batches than metered', () => {
    const meter = { ...meterOf([]), files: 1, storedBytes: 5, uncompressedBytes: 5, records: 1 };
    const entry = encodeEntry({ nowMs: START_MS, commands: [], meter });
    expect(() => replayEntry(createState('other'), entry)).toThrow(
      'files was 1 when it was written, and 0 in the replay',
    );
  });
});
