import { expect, test } from 'vitest';
import { countTests } from './test-outcome.ts';

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
] as const)('the tests that %s reports are counted', (tool, log, counts) => {
  expect(countTests(tool, log)).toEqual(counts);
});

test('a log without any test is not a success', () => {
  expect(countTests('vitest', 'No test files found, exiting with code 1')).toBeUndefined();
});
