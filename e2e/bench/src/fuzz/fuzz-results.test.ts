import { expect, test } from 'vitest';
import { addRuns, type FuzzRun } from './fuzz-results.ts';

const run: FuzzRun = {
  group: 'rpc',
  property: 'requests',
  seed: 7,
  executions: 10,
  cpuSeconds: 1_800,
  isFailed: false,
};

test('adds executions and hours to those before', () => {
  const first = addRuns({ command: 'fuzz', groups: {} }, 'abc', [run, { ...run, property: 'others', isFailed: true }]);
  expect(first.groups['rpc']).toEqual({
    executions: 20,
    cpu_hours: 1,
    findings: [],
    runs: [{ commit: 'abc', seed: 7, executions: 20, cpu_hours: 1, failed: ['others'] }],
  });
  const second = addRuns(first, 'def', [{ ...run, seed: 8 }]);
  expect(second.groups['rpc']).toMatchObject({ executions: 30, cpu_hours: 1.5 });
  expect(second.groups['rpc']?.runs.map(({ commit, seed }) => [commit, seed])).toEqual([
    ['abc', 7],
    ['def', 8],
  ]);
});
