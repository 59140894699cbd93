import { expect, test } from 'vitest';
import { z } from 'zod';
import { inputFaults } from './input-faults.ts';

const input = z.object({
  name: z.string().min(1, 'Give it a name.').max(0, 'never'),
  count: z.number('Enter a number.'),
  networks: z.array(z.ipv4('Enter an IP address.')),
  clusterId: z.uuid(),
});

function faultsOf(value: unknown): [string, string][] {
  const fields = ['name', 'count', 'networks'];
  const parsed = input.safeParse(value);
  return parsed.success
    ? []
    : [...inputFaults(parsed.error, (path) => fields.find((name) => path.startsWith(name)) ?? null)];
}

test('each field has the first of its faults, lists included', () => {
  expect(faultsOf({ name: '', count: 'many', networks: ['10.0.0.1', 'a', 'b'] })).toEqual([
    ['name', 'Give it a name.'],
    ['count', 'Enter a number.'],
    ['networks', 'Enter an IP address.'],
  ]);
});

test('an input without a field has its fault at no field', () => {
  expect(faultsOf({ name: '', count: 1, networks: [], clusterId: 'x' })).toEqual([['name', 'Give it a name.']]);
});
