import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { inputMessage } from './input-message.ts';

const messages = (schema: z.ZodType, input: unknown): string[] => {
  const parsed = schema.safeParse(input, { error: inputMessage });
  return parsed.success ? [] : parsed.error.issues.map(({ message }) => message);
};

describe('inputMessage', () => {
  test.each([
    ['an id', z.uuid(), 'x', 'This ID is not valid.'],
    ['an address', z.email(), 'x', 'Enter a valid email address, such as name@example.com.'],
    ['a time', z.iso.datetime(), 'x', 'Use a time such as 2026-11-21T15:00:00Z.'],
    ['a pattern', z.string().regex(/^a+$/), 'b', 'This value is not valid.'],
    ['nothing', z.string(), undefined, 'This field is required.'],
    ['text for a number', z.number(), 'x', 'Use a number.'],
    ['half a number', z.int(), 1.5, 'Use a whole number.'],
    ['another choice', z.enum(['aws', 'gcp']), 'x', 'Use one of: aws, gcp.'],
    ['long text', z.string().max(1_000), 'x'.repeat(1_001), 'Use at most 1,000 characters.'],
    ['empty text', z.string().min(1), '', 'Use at least 1 character.'],
    ['a large number', z.number().max(100), 101, 'Use at most 100.'],
    ['zero', z.number().positive(), 0, 'Use more than 0.'],
    ['a long list', z.array(z.string()).max(2), ['a', 'b', 'c'], 'Use at most 2 items.'],
    ['a surplus field', z.strictObject({}), { a: 1 }, 'Unknown field: a.'],
    ['none of several', z.union([z.string(), z.number()]), {}, 'This value is not valid.'],
  ])('tells a user what to enter instead of %s', (_what, schema, input, message) => {
    expect(messages(schema, input)).toEqual([message]);
  });

  test('keeps a message that the schema defines', () => {
    expect(messages(z.string().min(1, 'Enter a name.'), '')).toEqual(['Enter a name.']);
  });
});
