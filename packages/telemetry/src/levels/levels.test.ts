import { DAY_MS, HOUR_MS } from '@penstock/units';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  alignedOriginMs,
  isExpired,
  levelFacts,
  levelFor,
  levels,
  partitionOf,
  partitionsToHave,
  slotOfWindowMs,
  stepMsFor,
} from './levels.ts';

const anyTimeMs = fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2040-01-01') });

describe('slots of windows', () => {
  // However late each window ends.
  test('follow each other without gap or overlap', () => {
    const anyLateMs = fc.array(fc.integer({ min: 0, max: 4_900 }), { minLength: 2, maxLength: 50 });
    fc.assert(
      fc.property(anyTimeMs, anyLateMs, (originMs, lateMs) => {
        const aligned = alignedOriginMs(originMs);
        let beganMs = 0;
        const slots = lateMs.map((late, index) => {
          const endMs = (index + 1) * 10_000 + late;
          const slot = slotOfWindowMs(aligned, beganMs, endMs - beganMs);
          beganMs = endMs;
          return slot;
        });
        for (const [index, slot] of slots.entries()) {
          expect(slot - (slots[0] ?? 0)).toBe(index * 10_000);
        }
      }),
    );
  });

  test('hold most of their window', () => {
    fc.assert(
      fc.property(anyTimeMs, fc.integer({ min: 0, max: 10_000 }), (originMs, windows) => {
        const slot = slotOfWindowMs(alignedOriginMs(originMs), windows * 10_000, 10_000);
        expect(Math.abs(slot - (originMs + windows * 10_000))).toBeLessThanOrEqual(5_000);
      }),
    );
  });
});

describe('partitions', () => {
  test('cover every time once, and are found again by their names', () => {
    fc.assert(
      fc.property(anyTimeMs, fc.constantFrom(...levels), (atMs, level) => {
        const { fromMs, toMs, suffix } = partitionOf(level, atMs);
        expect(fromMs).toBeLessThanOrEqual(atMs);
        expect(toMs).toBeGreaterThan(atMs);
        expect(partitionOf(level, toMs).fromMs).toBe(toMs);
        expect(suffix).toBe(
          new Date(fromMs)
            .toISOString()
            .replaceAll('-', '')
            .slice(0, levelFacts[level].partition === 'day' ? 8 : 6),
        );
        const { retentionMs } = levelFacts[level];
        expect(isExpired(level, suffix, toMs + retentionMs)).toBe(true);
        expect(isExpired(level, suffix, toMs + retentionMs - 1)).toBe(false);
      }),
    );
  });

  test('exist from the oldest accepted report to days ahead', () => {
    fc.assert(
      fc.property(anyTimeMs, fc.constantFrom(...levels), (nowMs, level) => {
        const partitions = partitionsToHave(level, nowMs);
        expect(partitions[0]?.fromMs).toBeLessThanOrEqual(nowMs - HOUR_MS);
        expect(partitions.at(-1)?.toMs).toBeGreaterThan(nowMs + 3 * DAY_MS);
        expect(partitions.some(({ suffix }) => isExpired(level, suffix, nowMs))).toBe(false);
      }),
    );
  });
});

test('answer a range from the finest level that still has it', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00Z');
  expect(levelFor(nowMs - HOUR_MS, nowMs, nowMs, 360)).toBe('10s');
  expect(levelFor(nowMs - 3 * DAY_MS, nowMs - 3 * DAY_MS + HOUR_MS, nowMs, 360)).toBe('1m');
  expect(levelFor(nowMs - 40 * DAY_MS, nowMs - 40 * DAY_MS + HOUR_MS, nowMs, 360)).toBe('1h');
  expect(levelFor(nowMs - 300 * DAY_MS, nowMs, nowMs, 360)).toBe('1h');
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 * DAY_MS }), fc.integer({ min: 1, max: 1_000 }), (lengthMs, points) => {
      const level = levelFor(nowMs - lengthMs, nowMs, nowMs, points * 6);
      const stepMs = stepMsFor(level, nowMs - lengthMs, nowMs, points);
      expect(stepMs % levelFacts[level].slotMs).toBe(0);
      expect(lengthMs / stepMs).toBeLessThanOrEqual(points);
    }),
  );
});
