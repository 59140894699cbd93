import { MINUTE_MS } from '@penstock/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apply } from '../apply.ts';
import type { Command } from '../model/command.ts';
import { DEFAULT_OFFSETS_RETENTION_MINUTES, PRODUCER_EXPIRATION_MS } from '../model/limits.ts';
import { type ClusterState, createState } from '../state/cluster-state.ts';
import { aHistory, type Step, withReal } from '../testing/arbitrary-commands.ts';
import { commitOf, fileId, id, START_MS, TestCluster, type TestRun } from '../testing/cluster.ts';
import { SAMPLE_COMMANDS } from '../testing/sample-commands.ts';
import { encodeSnapshot } from './snapshot.ts';
import { captureSnapshot, type SnapshotCapture } from './snapshot-capture.ts';
import { SnapshotReader } from './snapshot-reader.ts';

/** One part per item, so that commands run between as many parts as possible. */
const SMALLEST_PARTS = 1;

/** Random commands, and commits whose topics exist, over a few days. */
const aBusyHistory: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.array(aHistory, { minLength: 8, maxLength: 12 }),
    fc.array(
      fc.array(
        fc.record({
          topic: fc.integer({ min: 1, max: 2 }).map(id),
          partition: fc.nat(2),
          batches: fc.array(
            fc.record({
              records: fc.integer({ min: 1, max: 3 }),
              timestampMs: fc.integer({ min: 0, max: 9 * PRODUCER_EXPIRATION_MS }).map((ms) => START_MS + ms),
              producer: fc.tuple(fc.nat(60), fc.constant(0), fc.constant(0)),
            }),
            { minLength: 1, maxLength: 6 },
          ),
        }),
        { maxLength: 8 },
      ),
      { minLength: 100, maxLength: 300, size: 'max' },
    ),
    fc.infiniteStream(fc.nat(99)),
  )
  .map(([histories, commits, dice]) => {
    const steps = histories.flat();
    for (const [at, runs] of commits.entries()) {
      const passMs = (dice.next().value ?? 0) < 2 ? PRODUCER_EXPIRATION_MS / 3 : 500;
      const place = (dice.next().value ?? 0) % (steps.length + 1);
      steps.splice(place, 0, { command: commitStub(at, runs), useReal: false, passMs });
    }
    return steps;
  });

/** A commit whose file id gets its timestamp when it is applied. */
function commitStub(number: number, runs: readonly TestRun[]): Command {
  return commitOf(fileId(1_000 + number, 0), runs);
}

class Replay {
  state = createState('history');
  nowMs = START_MS;

  constructor() {
    this.do({
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
    });
  }

  do({ command: drawn, useReal, passMs }: Step): void {
    this.nowMs += passMs;
    let command = useReal ? withReal(drawn, this.state) : drawn;
    if (command.kind === 'commit-file' && (command.fileId[5] ?? 0) === 0 && (command.fileId[0] ?? 0) === 0) {
      const number = new DataView(command.fileId.buffer).getUint32(12);
      command = { ...command, fileId: fileId(number, this.nowMs) };
    }
    apply(this.state, command, this.nowMs);
  }
}

function allOf(capture: SnapshotCapture): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let part = capture.nextPart(); part !== undefined; part = capture.nextPart()) {
    parts.push(part);
  }
  return parts;
}

function restore(parts: readonly Uint8Array[]): ClusterState {
  const reader = new SnapshotReader();
  for (const part of parts) {
    reader.push(part);
  }
  return reader.finish();
}

describe('a captured snapshot', () => {
  // Drawing its parts does not affect the live state either.
  it('preserves the captured state while commands are applied', () => {
    fc.assert(
      fc.property(aBusyHistory, fc.nat(), fc.infiniteStream(fc.nat(60)), (history, cut, gaps) => {
        const replay = new Replay();
        const undisturbed = new Replay();
        const start = cut % history.length;
        for (const step of history.slice(0, start)) {
          replay.do(step);
        }
        const expected = encodeSnapshot(replay.state);
        const captures: { capture: SnapshotCapture; parts: Uint8Array[] }[] = [SMALLEST_PARTS, 4_000].map((bytes) => ({
          capture: captureSnapshot(replay.state, bytes),
          parts: [],
        }));
        let wait = 0;
        for (const step of history.slice(start)) {
          wait -= 1;
          if (wait <= 0) {
            wait = gaps.next().value ?? 0;
            for (const { capture, parts } of captures) {
              const part = capture.nextPart();
              if (part !== undefined) {
                parts.push(part);
              }
            }
          }
          replay.do(step);
        }
        for (const { capture, parts } of captures) {
          for (let part = capture.nextPart(); part !== undefined; part = capture.nextPart()) {
            parts.push(part);
          }
          expect(encodeSnapshot(restore(parts))).toEqual(expected);
        }
        expect(replay.state.openCaptures.size).toBe(0);
        for (const step of history) {
          undisturbed.do(step);
        }
        expect(encodeSnapshot(replay.state)).toEqual(encodeSnapshot(undisturbed.state));
      }),
      { numRuns: 14 },
    );
  });

  it('behaves after a restore exactly as the captured state does', () => {
    fc.assert(
      fc.property(aBusyHistory, fc.nat(), (history, cut) => {
        const replay = new Replay();
        const start = cut % history.length;
        for (const step of history.slice(0, start)) {
          replay.do(step);
        }
        const restored = new Replay();
        restored.state = restore([encodeSnapshot(replay.state)]);
        restored.nowMs = replay.nowMs;
        for (const step of history.slice(start)) {
          replay.do(step);
          restored.do(step);
        }
        expect(encodeSnapshot(restored.state)).toEqual(encodeSnapshot(replay.state));
      }),
      { numRuns: 14 },
    );
  });

  it('excludes commands applied before its first part is drawn', () => {
    fc.assert(
      fc.property(aHistory, (history) => {
        const replay = new Replay();
        for (const step of history) {
          const expected = encodeSnapshot(replay.state);
          const capture = captureSnapshot(replay.state);
          replay.do(step);
          expect(encodeSnapshot(restore(allOf(capture))), step.command.kind).toEqual(expected);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('keeps a group as it was, whichever command changes it', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 2, 'orders');
    const join = { ...SAMPLE_COMMANDS['join-group'], requireKnownMemberId: false, initialRebalanceDelayMs: 1 };
    const alone = { generationId: -1, memberId: '', groupInstanceId: null };
    const commands: Command[] = [
      join,
      { ...join, groupInstanceId: null, newMemberId: 'client-2', requireKnownMemberId: true },
      SAMPLE_COMMANDS['group-deadline'],
      SAMPLE_COMMANDS['sync-group'],
      SAMPLE_COMMANDS['commit-offsets'],
      { ...SAMPLE_COMMANDS['commit-offsets'], ...alone, groupId: 'other' },
      { kind: 'set-clock-back', fromMs: cluster.nowMs },
      { kind: 'expire-members', members: [{ groupId: 'billing', memberId: 'client-2' }] },
      { ...SAMPLE_COMMANDS['delete-offsets'], partitions: [{ topic: 'orders', partition: 1 }] },
      { ...SAMPLE_COMMANDS['commit-offsets'], ...alone, groupId: 'other' },
      { kind: 'leave-group', groupId: 'billing', members: [{ memberId: 'client-1', groupInstanceId: 'instance-1' }] },
      { kind: 'expire-offsets' },
      { kind: 'delete-topics', names: ['orders'], topicIds: [] },
    ];
    const changed = commands.map((command) => {
      cluster.nowMs +=
        command.kind === 'expire-offsets'
          ? DEFAULT_OFFSETS_RETENTION_MINUTES * MINUTE_MS + 1
          : command.kind === 'set-clock-back'
            ? -1
            : 1;
      if (command.kind === 'delete-topics') {
        cluster.do({ ...SAMPLE_COMMANDS['commit-offsets'], ...alone, groupId: 'third' });
      }
      const expected = encodeSnapshot(cluster.state);
      const capture = captureSnapshot(cluster.state);
      const outcome = cluster.any(command);
      expect(encodeSnapshot(restore(allOf(capture))), command.kind).toEqual(expected);
      return outcome.changed && Buffer.compare(expected, encodeSnapshot(cluster.state)) !== 0;
    });
    expect(changed).toEqual(commands.map(() => true));
  });

  it('has parts of bounded size, however large the state is', () => {
    const cluster = new TestCluster();
    const topic = cluster.topic(1, 300);
    for (let at = 0; at < 500; at += 1) {
      cluster.commit(
        Array.from({ length: 300 }, (_, partition) => ({
          topic,
          partition,
          batches: [{ records: 1 + (at % 3), producer: [at % 20, at, 0] as const }],
        })),
      );
    }
    const capture = captureSnapshot(cluster.state);
    const sizes: number[] = [];
    for (let part = capture.nextPart(); part !== undefined; part = capture.nextPart()) {
      sizes.push(part.length);
    }
    expect(sizes.length).toBeGreaterThan(8);
    expect(Math.max(...sizes)).toBeLessThan(1024 * 1024);
  });

  it('keeps nothing after its release, and returns no more parts', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 1);
    cluster.do({ ...SAMPLE_COMMANDS['join-group'], groupInstanceId: null });
    const capture = captureSnapshot(cluster.state);
    expect(capture.nextPart()).toBeDefined();
    capture.release();
    capture.release();
    expect(capture.nextPart()).toBeUndefined();
    expect(cluster.state.openCaptures.size).toBe(0);
  });
});
