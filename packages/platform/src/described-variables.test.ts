import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeVariables } from './described-variables.ts';

test('what is required, defaults and secrets are seen', () => {
  const shape = {
    A: z.string().default('x|y').meta({ description: 'The first.' }),
    B: z.string().meta({ description: 'The second.', isSecret: true }),
    C: z.string().optional().meta({ description: 'The third.', defaultText: 'none' }),
  };
  expect(describeVariables(shape)).toEqual([
    { name: 'A', isRequired: false, defaultText: '`x|y`', description: 'The first.', isSecret: false },
    { name: 'B', isRequired: true, defaultText: '', description: 'The second.', isSecret: true },
    { name: 'C', isRequired: false, defaultText: 'none', description: 'The third.', isSecret: false },
  ]);
});

test('a variable without a description is refused', () => {
  expect(() => describeVariables({ PENSTOCK_NEW: z.string() })).toThrow('PENSTOCK_NEW has no description');
});
