import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RunIndex } from './run-index.ts';

describe('the run index', () => {
  it('answers as a plain list does, however it grows and is trimmed', () => {
    const step = fc.oneof(
      {
        arbitrary: fc.record({
          records: fc.integer({ min: 1, max: 9 }),
          timestampMs: fc.integer({ min: -1, max: 50 }),
        }),
        weight: 4,
      },
      { arbitrary: fc.record({ drop: fc.integer({ min: 0, max: 20 }) }), weight: 1 },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
        const index = new RunIndex();
        const model: { base: number; records: number; timestampMs: number }[] = [];
        let end = 0;
        for (const [at, one] of steps.entries()) {
          if ('drop' in one) {
            const count = Math.min(one.drop, model.length);
            index.dropFront(count);
            model.splice(0, count);
          } else {
            index.append(end, at, at * 2, at * 3, one.timestampMs);
            model.push({ base: end, ...one });
            end += one.records;
          }
          expect(index.length).toBe(model.length);
        }
        for (const [row, { base, timestampMs }] of model.entries()) {
          expect([index.baseOffset(row), index.maxTimestampMs(row)]).toEqual([base, timestampMs]);
          expect([index.position(row), index.bytes(row)]).toEqual([index.file(row) * 2, index.file(row) * 3]);
        }
        for (let offset = model[0]?.base ?? end; offset < end; offset += 1) {
          const row = model.findIndex(({ base, records }) => offset >= base && offset < base + records);
          expect(index.rowOfOffset(offset)).toBe(row);
        }
        for (let timestampMs = -1; timestampMs <= 51; timestampMs += 1) {
          expect(index.rowOfTimestamp(timestampMs)).toBe(model.findIndex((run) => run.timestampMs >= timestampMs));
        }
        const largest = Math.max(...model.map(({ timestampMs }) => timestampMs));
        expect(index.rowOfMaxTimestamp()).toBe(model.findIndex(({ timestampMs }) => timestampMs === largest));
      }),
    );
  });
});
