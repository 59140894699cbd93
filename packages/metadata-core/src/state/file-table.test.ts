import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idKey } from '../model/ids.ts';
import { DELETION_GRACE_MS, DELETION_LEASE_MS } from '../model/limits.ts';
import type { FileLevel } from '../model/run.types.ts';
import { expectCapturesToStay } from '../testing/captures.ts';
import { fileId, id, START_MS } from '../testing/cluster.ts';
import { type CapturedFiles, FileTable, filesOfPage, queuedFiles } from './file-table.ts';

/** A model of the table with maps, for comparison. */
class Model {
  files = new Map<string, { bytes: number; level: FileLevel; runs: number[] }>();
  waiting = new Map<string, number>();
  leased = new Map<string, number>();

  die(key: string, nowMs: number): void {
    if (this.files.get(key)?.runs.length === 0) {
      this.waiting.set(key, nowMs);
    }
  }

  take(max: number, nowMs: number): string[] {
    const due = [...this.leased].filter(([, untilMs]) => untilMs <= nowMs);
    const rested = [...this.waiting].filter(([, sinceMs]) => sinceMs + DELETION_GRACE_MS <= nowMs);
    const keys = [...due, ...rested].slice(0, max).map(([key]) => key);
    for (const key of keys) {
      this.waiting.delete(key);
      this.leased.delete(key);
      this.leased.set(key, nowMs + DELETION_LEASE_MS);
    }
    return keys;
  }
}

const aStep = fc.oneof(
  { arbitrary: fc.record({ add: fc.integer({ min: 1, max: 400 }), runs: fc.nat(3) }), weight: 3 },
  { arbitrary: fc.record({ drop: fc.nat(), count: fc.nat(500) }), weight: 3 },
  { arbitrary: fc.record({ take: fc.nat(400), passMs: fc.integer({ min: 0, max: 400_000 }) }), weight: 3 },
  { arbitrary: fc.record({ forget: fc.nat(), count: fc.nat(400) }), weight: 2 },
);
type Step = typeof aStep extends fc.Arbitrary<infer S> ? S : never;

class Pair {
  table = new FileTable();
  model = new Model();
  nowMs = START_MS;
  #slots = new Map<string, number>();
  #added = 0;

  do(step: Step): void {
    const { table, model } = this;
    if ('add' in step) {
      for (let file = 0; file < step.add; file += 1) {
        this.#added += 1;
        const newId = fileId(this.#added, this.nowMs);
        const runs = Array.from({ length: step.runs }, (_, run) => 10 + run);
        const level = ([0, 1, 2] as const)[file % 3] ?? 0;
        const slot = table.add(newId, 1_000 + file, this.nowMs, level);
        for (const bytes of runs) {
          table.addRun(slot, bytes);
        }
        table.settle(slot, this.nowMs);
        this.#slots.set(idKey(newId), slot);
        model.files.set(idKey(newId), { bytes: 1_000 + file, level, runs });
        model.die(idKey(newId), this.nowMs);
      }
    } else if ('drop' in step) {
      const alive = [...model.files].filter(([, { runs }]) => runs.length > 0);
      for (const [key, { runs }] of alive.slice(step.drop % (alive.length + 1)).slice(0, step.count)) {
        table.dropRun(this.#slots.get(key) ?? -1, runs.pop() ?? 0, this.nowMs);
        model.die(key, this.nowMs);
      }
    } else if ('take' in step) {
      this.nowMs += step.passMs;
      expect(table.take(step.take, this.nowMs).map(idKey)).toEqual(model.take(step.take, this.nowMs));
    } else {
      const keys = [...model.files.keys()];
      for (const key of keys.slice(step.forget % (keys.length + 1)).slice(0, step.count)) {
        const isDead = model.waiting.delete(key) || model.leased.delete(key);
        expect(table.forget(new Uint8Array(Buffer.from(key, 'hex')))).toBe(isDead);
        if (isDead) {
          model.files.delete(key);
          this.#slots.delete(key);
        }
      }
    }
  }

  expectSame(): void {
    const { table, model } = this;
    expect(table.size).toBe(model.files.size);
    expect(table.dead).toBe(model.waiting.size + model.leased.size);
    const files = [...table.files()].map(([slot, file]) => {
      expect([table.slotOf(file.id), idKey(table.id(slot)), table.bytes(slot), table.committedAtMs(slot)]).toEqual([
        slot,
        idKey(file.id),
        file.bytes,
        file.committedAtMs,
      ]);
      expect(table.level(slot)).toBe(file.level);
      return [idKey(file.id), file.bytes, file.level, file.liveRuns, file.liveBytes];
    });
    const expected = [...model.files].map(([key, { bytes, level, runs }]) => {
      expect(table.knows(new Uint8Array(Buffer.from(key, 'hex')))).toBe(true);
      return [key, bytes, level, runs.length, runs.reduce((sum, size) => sum + size, 0)];
    });
    expect(files.sort()).toEqual(expected.sort());
  }
}

const imageOf = (captured: CapturedFiles): unknown => ({
  files: captured.pages.flatMap((page, number) => [...filesOfPage(number, page)]),
  waiting: [...queuedFiles(captured.pages, captured.waiting)],
  leased: [...queuedFiles(captured.pages, captured.leased)],
});

describe('the file table', () => {
  it('behaves like maps, in the same order', () => {
    fc.assert(
      fc.property(fc.array(aStep, { maxLength: 25, size: 'max' }), (steps) => {
        const pair = new Pair();
        for (const step of steps) {
          pair.do(step);
        }
        pair.expectSame();
      }),
      { numRuns: 30 },
    );
  });

  it('keeps a captured state unchanged and continues normally', () => {
    expectCapturesToStay({ create: () => new Pair(), aStep, imageOf, numRuns: 15 });
  });

  // From a thousand files on.
  it('uses at most 96 bytes per file and frees memory', () => {
    const table = new FileTable();
    const empty = table.memoryBytes;
    let mostPerFile = 0;
    for (let file = 1; file <= 50_000; file += 1) {
      table.settle(table.add(id(file), 1_000, START_MS), START_MS);
      mostPerFile = file < 1_000 ? 0 : Math.max(mostPerFile, table.memoryBytes / file);
    }
    expect(mostPerFile).toBeLessThanOrEqual(96);
    for (let file = 1; file <= 50_000; file += 1) {
      table.forget(id(file));
    }
    expect([table.size, table.slotLimit]).toEqual([0, 0]);
    expect(table.memoryBytes).toBeLessThan(empty + 8_000);
  });
});
