import { expect, test } from 'vitest';
import { operationsByPath } from '../operations-by-path.ts';
import { auditDomains } from './inputs.ts';

const declared = auditDomains.flatMap(({ actions }) => Object.keys(actions));

test('each audited action is declared by one domain', () => {
  expect(declared.filter((action, index) => declared.indexOf(action) !== index)).toEqual([]);
});

test('the actions of operations have words', () => {
  const written = [...operationsByPath.values()].flatMap(({ audit }) => ('not' in audit ? [] : audit));
  expect(written.length).toBeGreaterThan(50);
  expect(written.filter((action) => !declared.includes(action))).toEqual([]);
});

test('an operation that changes something writes an action', () => {
  const silent = [...operationsByPath].filter(
    ([, { type, audit }]) => type === 'mutation' && ('not' in audit ? audit.not : audit).length === 0,
  );
  expect(silent).toEqual([]);
});
