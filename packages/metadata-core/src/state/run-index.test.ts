import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHUNK_HEAD, CHUNK_ROWS, MAX_TIMESTAMP, ROW_WORDS, RunIndex } from './run-index.ts';
import { readWide } from './words.ts';

interface ModelRun {
  base: number;
  file: number;
  timestampMs: number;
}

const aTimestamp = fc.oneof(fc.integer({ min: -1, max: 50 }), fc.maxSafeInteger());
const aStep = fc.oneof(
  {
    arbitrary: fc.record({
      // Large numbers fill whole chunks.
      runs: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 700 })),
      records: fc.integer({ min: 1, max: 9 }),
      timestampMs: aTimestamp,
    }),
    weight: 4,
  },
  { arbitrary: fc.record({ drop: fc.oneof(fc.nat(20), fc.nat(900)) }), weight: 1 },
  {
    arbitrary: fc.record({
      replaceAt: fc.nat(),
      count: fc.oneof(fc.nat(9), fc.nat(600)),
      inNewChunks: fc.boolean(),
      /** A compaction removed its latest records; then the rows go into new chunks. */
      isOlder: fc.boolean(),
      /** A truncated front is back. */
      earlier: fc.nat(3),
    }),
    weight: 2,
  },
);
type Step = typeof aStep extends fc.Arbitrary<infer S> ? S : never;

/** An index and a plain list that go through the same changes. */
class Pair {
  index = new RunIndex();
  model: ModelRun[] = [];
  end = 0;
  isCaptured = false;
  #files = 0;

  do(step: Step): void {
    if ('drop' in step) {
      const count = Math.min(step.drop, this.model.length);
      this.index.dropFront(count);
      this.model.splice(0, count);
    } else if ('runs' in step) {
      for (let run = 0; run < step.runs; run += 1) {
        const timestampMs = Math.max(Number.MIN_SAFE_INTEGER, step.timestampMs - (run % 7));
        this.#files += 1;
        this.index.append(this.end, this.#files, this.#files * 2, this.#files * 3, timestampMs);
        this.model.push({ base: this.end, file: this.#files, timestampMs });
        this.end += step.records;
      }
    } else if (this.model.length > 0) {
      const from = step.replaceAt % this.model.length;
      const count = Math.min(this.model.length - from, step.count + 1);
      this.#files += 1;
      const base = Math.max(0, (this.model[from]?.base ?? 0) - (from === 0 ? step.earlier : 0));
      const largestMs = Math.max(...this.model.slice(from, from + count).map((run) => run.timestampMs));
      const timestampMs = step.isOlder ? Math.min(largestMs, 20) : largestMs;
      const [position, bytes] = [this.#files * 2, this.#files * 3];
      const run = { baseOffset: base, file: this.#files, position, bytes, maxTimestampMs: timestampMs };
      this.index.replace(from, count, run, this.isCaptured || step.inNewChunks || step.isOlder);
      this.model.splice(from, count, { base, file: this.#files, timestampMs });
    }
  }
}

describe('the run index', () => {
  it('behaves like a plain list when grown, merged or trimmed', () => {
    fc.assert(
      fc.property(fc.array(aStep, { maxLength: 40, size: 'max' }), (steps) => {
        const pair = new Pair();
        for (const step of steps) {
          pair.do(step);
          expect(pair.index.length).toBe(pair.model.length);
        }
        const { index, model, end } = pair;
        const rows = model.map((_, row) => ({
          base: index.baseOffset(row),
          file: index.file(row),
          timestampMs: index.maxTimestampMs(row),
        }));
        expect(rows).toEqual(model);
        expect(model.every(({ file }, row) => index.position(row) === file * 2 && index.bytes(row) === file * 3)).toBe(
          true,
        );
        expect(model.map(({ base }) => index.rowOfOffset(base))).toEqual([...model.keys()]);
        expect(model.map((_, row) => index.rowOfOffset((model[row + 1]?.base ?? end) - 1))).toEqual([...model.keys()]);
        expect(index.rowOfOffset((model[0]?.base ?? 0) - 1)).toBe(-1);
        const known = [...new Set(model.map(({ timestampMs }) => timestampMs))].slice(0, 40);
        for (const timestampMs of [-1, 0, 25, 51, ...known, ...known.map((at) => at + 1)]) {
          expect(index.rowOfTimestamp(timestampMs)).toBe(model.findIndex((run) => run.timestampMs >= timestampMs));
        }
        const largest = model.reduce((most, run) => Math.max(most, run.timestampMs), Number.NEGATIVE_INFINITY);
        expect(index.rowOfMaxTimestamp()).toBe(model.findIndex(({ timestampMs }) => timestampMs === largest));
        for (const fromRow of [1, 7, 300, model.length - 1].filter((row) => row >= 0)) {
          const rest = model.slice(fromRow);
          const place = (row: number): number => (row < 0 ? -1 : fromRow + row);
          const latest = rest.reduce((most, run) => Math.max(most, run.timestampMs), Number.NEGATIVE_INFINITY);
          expect(index.rowOfMaxTimestamp(fromRow)).toBe(place(rest.findIndex((run) => run.timestampMs === latest)));
          expect(index.rowOfTimestamp(25, fromRow)).toBe(place(rest.findIndex((run) => run.timestampMs >= 25)));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('keeps captured rows unchanged whatever happens later', () => {
    fc.assert(
      fc.property(
        fc.array(aStep, { maxLength: 15, size: 'max' }),
        fc.array(aStep, { maxLength: 15, size: 'max' }),
        (before, after) => {
          const pair = new Pair();
          for (const step of before) {
            pair.do(step);
          }
          const captured = pair.index.capture();
          pair.isCaptured = true;
          const expected = pair.model.map(({ base, timestampMs }) => [base, timestampMs]);
          for (const step of after) {
            pair.do(step);
          }
          const rows: number[][] = [];
          let skip = captured.skipped;
          for (const [at, words] of captured.chunks.entries()) {
            const next = captured.starts[at + 1] ?? (captured.starts[0] ?? 0) + captured.skipped + captured.length;
            for (let row = skip; row < next - (captured.starts[at] ?? 0); row += 1) {
              const word = CHUNK_HEAD + row * ROW_WORDS;
              rows.push([readWide(words, word), readWide(words, word + MAX_TIMESTAMP)]);
            }
            skip = 0;
          }
          expect(rows).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  // From 500 runs on.
  it('uses at most 48 bytes per run and frees memory', () => {
    // Besides its runs of 28 bytes each, it holds a quarter of a chunk that was dropped, the room of one chunk, and array overhead.
    fc.assert(
      fc.property(fc.integer({ min: 500, max: 20_000 }), fc.nat(), (count, drop) => {
        const index = new RunIndex();
        for (let run = 0; run < count; run += 1) {
          index.append(run, run, 0, 1, run);
        }
        expect(index.memoryBytes / count).toBeLessThanOrEqual(48);
        index.dropFront(drop % (count - 499));
        expect(index.memoryBytes / index.length).toBeLessThanOrEqual(48);
        index.dropFront(index.length);
        expect(index.memoryBytes).toBe(0);
      }),
      { numRuns: 40, examples: [[2_049, 1_549]] },
    );
  });

  it.each([true, false])('merges small chunks when runs merge one by one: captured %s', (isCaptured) => {
    const index = new RunIndex();
    for (let run = 0; run < 40 * CHUNK_ROWS; run += 1) {
      index.append(run, run, 0, 1, run);
    }
    for (let row = 0; row < 160; row += 1) {
      const run = { baseOffset: (row * CHUNK_ROWS) / 4, file: 1, position: 0, bytes: 1, maxTimestampMs: 0 };
      index.replace(row, CHUNK_ROWS / 4, run, isCaptured);
    }
    expect(index.length).toBe(160);
    expect(index.memoryBytes / 160).toBeLessThanOrEqual(48);
  });
});
