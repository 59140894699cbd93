import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './paths.ts';
import { countTests, stepsOf, testSteps } from './test-steps.ts';

test.each([
  [
    'vitest',
    '\n Test Files  1 failed | 1 passed (2)\n      Tests  13 failed | 14 passed (27)\n',
    { passed: 14, failed: 13 },
  ],
  ['vitest', '\u001b[2m      Tests \u001b[22m \u001b[32m5 passed\u001b[39m (5)\n', { passed: 5, failed: 0 }],
  [
    'cargo',
    'test result: ok. 3 passed; 0 failed; 0 ignored\ntest result: FAILED. 2 passed; 1 failed;\n',
    { passed: 5, failed: 1 },
  ],
  ['playwright', '  1 failed\n    x.spec.ts\n  7 passed (12.1s)\n', { passed: 7, failed: 1 }],
] as const)('the tests that %s reports are counted', (kind, log, counts) => {
  expect(countTests(kind, log)).toEqual(counts);
});

test('a log without any test is not a success', () => {
  expect(countTests('vitest', 'No test files found, exiting with code 1')).toBeUndefined();
});

test('every step that another depends on exists and precedes it', () => {
  const steps = stepsOf(undefined) ?? [];
  expect(steps).toHaveLength(testSteps.length);
  for (const [index, step] of steps.entries()) {
    for (const name of step.after ?? []) {
      const before = steps.findIndex((other) => other.name === name);
      expect(before, `${name} before ${step.name}`).toBeGreaterThanOrEqual(0);
      expect(before).not.toBe(index);
      if (steps[before]?.lane === step.lane) {
        expect(before).toBeLessThan(index);
      }
    }
  }
});

test('no comment of a crate has an example in Rust, which no step would run', () => {
  const sources = globSync(['apps/agent/crates/*/src/**/*.rs', 'packages/bench/load/src/**/*.rs'], { cwd: root });
  expect(sources.length).toBeGreaterThan(100);
  const examples = sources.filter((source) => {
    const fences = readFileSync(join(root, source), 'utf8').match(/^\s*\/\/[/!]\s*```.*$/gm) ?? [];
    return fences.some((fence, index) => index % 2 === 0 && !/```text$/.test(fence.trimEnd()));
  });
  expect(examples).toEqual([]);
});
