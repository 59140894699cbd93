// Tests the contract of captures for any table: a capture stays unchanged, and the table continues as if it had not been captured.
import fc from 'fast-check';
import { expect } from 'vitest';

/** A table under test, next to the model that it is compared with. */
export interface Capturable<Step, Captured> {
  do(step: Step): void;
  expectSame(): void;
  table: { capture(): Captured; release(): void };
}

export interface CaptureChecks<Step, Captured> {
  create: () => Capturable<Step, Captured>;
  aStep: fc.Arbitrary<Step>;
  /** The contents of a capture. */
  imageOf: (captured: Captured) => unknown;
  numRuns: number;
}

export function expectCapturesToStay<Step, Captured>(checks: CaptureChecks<Step, Captured>): void {
  const { create, aStep, imageOf, numRuns } = checks;
  const someSteps = fc.array(aStep, { maxLength: 12, size: 'max' });
  fc.assert(
    fc.property(someSteps, someSteps, someSteps, (before, during, after) => {
      const pair = create();
      const uncaptured = create();
      for (const step of before) {
        pair.do(step);
      }
      const captured = pair.table.capture();
      const image = imageOf(captured);
      for (const step of during) {
        pair.do(step);
      }
      expect(imageOf(captured)).toEqual(image);
      pair.table.release();
      for (const step of after) {
        pair.do(step);
      }
      pair.expectSame();
      for (const step of [...before, ...during, ...after]) {
        uncaptured.do(step);
      }
      expect(imageOf(pair.table.capture())).toEqual(imageOf(uncaptured.table.capture()));
    }),
    { numRuns },
  );
}
