import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { MAX_PROGRAM_SIZE, programSize } from './program-size.ts';

function compiledSize(pattern: string): number {
  return RE2JS.compile(pattern).programSize();
}

describe('the size of a program', () => {
  test.each([
    'orders',
    'orders.*',
    '(orders|payments)-[a-z]{1,20}',
    '(?i)orders[a-z0-9-]+',
    '(a?){100}(a?){100}.*',
    '(((a{10}){10}){10})',
    'a{3,}',
    'a{0}b{0,5}',
    '\\Qa.b*\\E+',
    '\\pL{30}\\p{Greek}*\\x{263a}?',
    '[^]a-]{5}[[:alpha:]\\]]+',
    'a{,5}{2}',
    '(?:ab?){20}',
    '(?P<name>ab?){20}(?i)x(?s:y)',
    '^(a*)*$',
    '(|a|)',
  ])('number %# is not estimated too small, nor far too large', (pattern) => {
    const compiled = compiledSize(pattern);
    const estimated = programSize(pattern);
    expect(estimated).toBeGreaterThanOrEqual(compiled * 0.7 - 3);
    expect(estimated).toBeLessThanOrEqual(compiled * 2 + 10);
  });

  test.each([
    ['(a?){1000}(a?){1000}.*'],
    ['(a{1000})'.repeat(400)],
    ['\\pL{1000}'.repeat(400)],
    ['((((((a{1000}){1000}){1000}){1000}){1000}){1000})'],
    [`(?i)${'[b-\\x{1E940}]'.repeat(270)}`],
    [`(?i)${'[一-鿿]'.repeat(300)}`],
  ])('number %# is beyond the limit', (pattern) => {
    expect(programSize(pattern)).toBeGreaterThan(MAX_PROGRAM_SIZE);
  });

  test.each([
    ['a?'.repeat(2_048)],
    ['(a)'.repeat(1_365)],
    ['.'.repeat(4_096)],
    ['topic-a|'.repeat(512)],
    ['[a-z]'.repeat(819)],
    [`(?i)(${'[a-z0-9_.-]+\\.'.repeat(200)})`],
    ['[a-zA-Z0-9._-]{1,249}'],
    ['(a|b|c)*'.repeat(512)],
  ])('number %# is within the limit', (pattern) => {
    expect(programSize(pattern)).toBeLessThanOrEqual(MAX_PROGRAM_SIZE);
  });
});
