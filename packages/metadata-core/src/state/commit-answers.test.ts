import { DAY_MS, MINUTE_MS, SECOND_MS } from '@penstock/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apply } from '../apply.ts';
import { decodeSnapshot, encodeSnapshot } from '../codec/snapshot.ts';
import { ErrorCode } from '../model/error-code.ts';
import { ANSWER_MEMORY_MS, FILE_ID_MAX_LEAD_MS } from '../model/limits.ts';
import { commitOf, fileId, START_MS, TestCluster } from '../testing/cluster.ts';
import { CommitAnswers } from './commit-answers.ts';

const BOUNDS = { ids: 8, idsAhead: 4, answerBytes: 10_000 };

/** A commit memory with a clock that the test moves. */
class TestMemory {
  readonly memory = new CommitAnswers(BOUNDS);
  nowMs = START_MS;
  #number = 0;

  /** Commits one file whose id is this far ahead of now. Returns the obstacle, if any. */
  commit(leadMs = 0, batches = 1): string | null {
    this.#number += 1;
    return this.commitAs(this.#number, this.nowMs + leadMs, batches);
  }

  commitAs(number: number, idTimeMs: number, batches = 1): string | null {
    const id = fileId(number, idTimeMs);
    const obstacle = this.memory.obstacle(id, idTimeMs, this.nowMs);
    if (obstacle !== null) {
      return obstacle;
    }
    if (this.memory.find(id) !== undefined) {
      return 'repeated';
    }
    this.memory.expire(this.nowMs);
    this.memory.remember({
      fileId: id,
      answeredAtMs: this.nowMs,
      batchBaseOffset: new Float64Array(batches),
      batchErrorCode: new Int32Array(0),
      runLogStartOffset: new Float64Array(1),
    });
    return null;
  }
}

describe('an agent with a fast clock', () => {
  // The answer is removed early for lack of room.
  it('gets no other agent refused when its answer goes early', () => {
    const test = new TestMemory();
    expect(test.commitAs(1, START_MS + FILE_ID_MAX_LEAD_MS)).toBe(null);
    expect(test.commit(0, 10_000)).toBe(null);
    expect(test.commit(0, 10_000)).toBe(null);
    expect(test.memory.find(fileId(1, START_MS + FILE_ID_MAX_LEAD_MS))).toBe(undefined);
    test.nowMs += SECOND_MS;
    expect(test.commit()).toBe(null);
    expect(test.commitAs(1, START_MS + FILE_ID_MAX_LEAD_MS)).toBe('forgotten');
  });

  // Its own id is committed once.
  it('gets no other agent refused after an owner a day ahead', () => {
    const test = new TestMemory();
    test.commitAs(1, START_MS + FILE_ID_MAX_LEAD_MS);
    test.nowMs += DAY_MS;
    test.memory.expire(test.nowMs);
    test.nowMs = START_MS + 9 * SECOND_MS;
    expect(test.commit()).toBe(null);
    expect(test.commitAs(1, START_MS + FILE_ID_MAX_LEAD_MS)).toBe('forgotten');
  });

  it('is the only one refused when too many ids are in the future', () => {
    const test = new TestMemory();
    const ahead = Array.from({ length: 6 }, () => test.commit(FILE_ID_MAX_LEAD_MS));
    expect(ahead).toEqual([null, null, null, null, 'too-many-ahead', 'too-many-ahead']);
    expect(test.commit()).toBe(null);
  });
});

describe('an owner whose clock was a day ahead', () => {
  // However many owners were wrong.
  it('leaves nothing that refuses commits once clocks are right', () => {
    const test = new TestMemory();
    test.commit();
    for (const wrongOwners of [1, 2]) {
      test.nowMs = START_MS + wrongOwners * DAY_MS;
      // Agents with the same wrong time.
      expect(test.commit()).toBe(null);
      test.nowMs = START_MS + wrongOwners * SECOND_MS;
      expect(test.commit()).toBe(null);
    }
  });

  it('leaves no answers that prevent later ones from expiring', () => {
    const test = new TestMemory();
    test.nowMs += DAY_MS;
    test.commitAs(100, test.nowMs);
    test.nowMs = START_MS;
    test.commitAs(101, START_MS);
    test.nowMs += ANSWER_MEMORY_MS;
    test.memory.expire(test.nowMs);
    expect(test.memory.image().answers).toEqual([]);
    expect(test.commitAs(100, START_MS + DAY_MS)).toBe('forgotten');
  });
});

describe('the memory', () => {
  it('holds each id exactly until it is too old to commit', () => {
    const test = new TestMemory();
    for (let minute = 0; minute < 60; minute += 1) {
      test.commitAs(minute, test.nowMs);
      for (let back = 0; back <= Math.min(minute, 10); back += 1) {
        expect(test.commitAs(minute - back, START_MS + (minute - back) * MINUTE_MS)).toMatch(/repeated|forgotten/);
      }
      expect(test.memory.size).toBeLessThanOrEqual(BOUNDS.ids);
      test.nowMs += MINUTE_MS;
    }
  });

  // For a while it refuses only what arrives within one minute.
  it('shortens its window near its limit', () => {
    const test = new TestMemory();
    const first = Array.from({ length: BOUNDS.ids }, () => test.commit());
    expect(first.every((obstacle) => obstacle === null)).toBe(true);
    expect(test.commit()).toBe('full');
    test.nowMs += 2 * MINUTE_MS;
    test.memory.expire(test.nowMs);
    expect(test.commit()).toBe(null);
    expect(test.commitAs(1, START_MS)).toBe('forgotten');
  });
});

describe('with any clocks of successive owners and agents', () => {
  /** Some ids and times close together, minutes and days apart. */
  const aTime = fc
    .tuple(fc.integer({ min: 0, max: 40 }), fc.constantFrom(0, 0, 0, 1, 2))
    .map(([minutes, days]) => START_MS + minutes * MINUTE_MS + days * DAY_MS);
  const anAttempt = fc.record({ nowMs: aTime, number: fc.integer({ min: 1, max: 3 }), idTimeMs: aTime });

  it('commits each id at most once within its memory limits', () => {
    fc.assert(
      fc.property(fc.array(anAttempt, { maxLength: 150, size: 'max' }), (attempts) => {
        const test = new TestMemory();
        const committed = new Set<string>();
        for (const { nowMs, number, idTimeMs } of attempts) {
          test.nowMs = nowMs;
          if (test.commitAs(number, idTimeMs) === null) {
            const id = `${number} of ${idTimeMs}`;
            expect(committed.has(id)).toBe(false);
            committed.add(id);
          }
          expect(test.memory.size).toBeLessThanOrEqual(BOUNDS.ids);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('an agent and owner with right clocks can always commit', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -10, max: 5 }), { maxLength: 40 }), (leadMinutes) => {
        const test = new TestMemory();
        for (const lead of leadMinutes) {
          test.commit(lead * MINUTE_MS, 200);
          test.nowMs += 5 * MINUTE_MS;
          expect(test.commit()).toBe(null);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a cluster', () => {
  function committed(): TestCluster {
    const cluster = new TestCluster();
    cluster.topic(1, 1);
    cluster.commit([{ batches: [{ records: 1 }] }], fileId(90, START_MS));
    return cluster;
  }

  it('commits for the others despite a fast agent and owner', () => {
    const cluster = committed();
    cluster.commit([{ batches: [{ records: 1 }] }], fileId(91, START_MS + FILE_ID_MAX_LEAD_MS));
    cluster.nowMs += DAY_MS;
    cluster.do({ kind: 'expire-retention' });
    cluster.nowMs = START_MS + 9 * SECOND_MS;
    expect(cluster.commit([{ batches: [{ records: 1 }] }]).errorMessage).toBe('');
  });

  it('gives a retry of a commit the same answer', () => {
    const cluster = committed();
    const again = cluster.outcome(commitOf(fileId(90, START_MS), [{ batches: [{ records: 1 }] }]));
    expect(again.changed).toBe(false);
    expect([...again.answer.batchBaseOffset]).toEqual([0]);
  });

  it('knows the same ids and answers after a snapshot', () => {
    const cluster = committed();
    cluster.commit([{ batches: [{ records: 1 }, { records: 1 }] }], fileId(92, START_MS + FILE_ID_MAX_LEAD_MS));
    const restored = decodeSnapshot(encodeSnapshot(cluster.state));
    for (const number of [90, 92]) {
      const command = commitOf(fileId(number, START_MS + (number === 92 ? FILE_ID_MAX_LEAD_MS : 0)), [
        { batches: [{ records: 7 }] },
        { batches: [{ records: 7 }] },
        { batches: [{ records: 7 }] },
      ]);
      expect(apply(restored, command, cluster.nowMs).answer.errorCode).toBe(ErrorCode.INVALID_REQUEST);
    }
    expect(encodeSnapshot(restored)).toEqual(encodeSnapshot(cluster.state));
  });
});
