import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { firstFaults } from './first-faults.ts';

describe('firstFaults', () => {
  it('keeps the first error of each input, by the input’s name', () => {
    const form = z.object({
      name: z.string().min(1, 'Give it a name.').max(0, 'never'),
      count: z.number('Enter a number.'),
    });
    const parsed = form.safeParse({ name: '', count: 'many' });
    expect(parsed.success ? {} : firstFaults(parsed.error)).toEqual({
      name: 'Give it a name.',
      count: 'Enter a number.',
    });
  });
});
