import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DatabaseClock } from './database-clock.ts';

const at = (monotonicMs: number, wallMs = monotonicMs) => ({ monotonicMs, wallMs });

describe('the time of the database', () => {
  // Despite slow answers and clock drift of up to 0.05 %.
  test('never passes its clock or goes back', () => {
    const call = fc.record({
      pauseMs: fc.integer({ min: 0, max: 60_000 }),
      toDatabaseMs: fc.integer({ min: 0, max: 20_000 }),
      backMs: fc.integer({ min: 0, max: 20_000 }),
    });
    fc.assert(
      fc.property(
        fc.array(call, { minLength: 1 }),
        fc.double({ min: 0.9995, max: 1.0005, noNaN: true }),
        (calls, rate) => {
          const clock = new DatabaseClock();
          let databaseMs = 1_760_000_000_000;
          let last = 0;
          const host = () => at((databaseMs - 1_760_000_000_000) * rate);
          const check = (): void => {
            if (!clock.isSet) {
              return;
            }
            const nowMs = clock.nowMs(host().monotonicMs);
            expect(nowMs).toBeLessThanOrEqual(databaseMs);
            expect(nowMs).toBeGreaterThanOrEqual(last);
            last = nowMs;
          };
          for (const { pauseMs, toDatabaseMs, backMs } of calls) {
            databaseMs += pauseMs;
            check();
            const sent = host();
            databaseMs += toDatabaseMs;
            const read = databaseMs;
            databaseMs += backMs;
            clock.read(read, sent, host());
            check();
          }
        },
      ),
    );
  });

  test("follows the database's clock back", () => {
    const clock = new DatabaseClock();
    clock.read(1_000_000, at(0), at(10));
    clock.read(900_000, at(2_000), at(2_010));
    expect(clock.nowMs(2_010)).toBe(900_000);
  });

  test('does not go back when an earlier call answers late', () => {
    const clock = new DatabaseClock();
    clock.read(1_005_000, at(5_000), at(5_010));
    clock.read(1_000_000, at(0), at(9_000));
    expect(clock.nowMs(9_000)).toBeGreaterThan(1_008_000);
  });
});

describe("the error of this host's clock", () => {
  test.each([
    { case: 'ahead', wallMs: 1_086_400, errorMs: 86_400 - 7, isOff: true },
    { case: 'behind', wallMs: 913_600, errorMs: -86_400, isOff: true },
    { case: 'a little ahead', wallMs: 1_004_900, errorMs: 4_893, isOff: false },
    { case: 'right', wallMs: 1_000_003, errorMs: 0, isOff: false },
  ])('is measured in spite of the duration of the call: $case', ({ wallMs, errorMs, isOff }) => {
    const clock = new DatabaseClock();
    clock.read(1_000_000, at(100, wallMs - 7), at(107, wallMs));
    expect(clock.hostErrorMs).toBe(errorMs);
    expect(clock.isHostOff).toBe(isOff);
  });

  test('is not inferred from a slow answer', () => {
    const clock = new DatabaseClock();
    clock.read(1_000_000, at(0, 999_000), at(14_000, 1_013_000));
    expect(clock.hostErrorMs).toBe(0);
  });
});
