import { describe, expect, test } from 'vitest';
import { passwordFault } from './password-rules.ts';

const about = ['Ada.Lovelace@analytical-engines.example', 'Ada Lovelace', 'Difference Works'];
const codeOf = (password: string) => passwordFault(password, about)?.code ?? null;

describe('refuses', () => {
  test.each([
    ['PASSWORD_TOO_SHORT', 'nine char'],
    ['PASSWORD_TOO_LONG', 'x'.repeat(129)],
    ['PASSWORD_COMMON', '1234567890'],
    ['PASSWORD_COMMON', 'qwertyuiop'],
    ['PASSWORD_COMMON', 'Password123'],
    ['PASSWORD_COMMON', 'ＱＷＥＲＴＹＵＩＯＰ'],
    ['PASSWORD_OBVIOUS', 'penstock2026!'],
    ['PASSWORD_OBVIOUS', 'P3n$t0ck-P3n$t0ck'],
    ['PASSWORD_OBVIOUS', 'lovelace-2026'],
    ['PASSWORD_OBVIOUS', 'AnalyticalEngines1'],
    ['PASSWORD_OBVIOUS', 'difference works'],
    ['PASSWORD_OBVIOUS', 'd1fference_w0rks_99'],
  ])('%s: %s', (code, password) => {
    expect(codeOf(password)).toBe(code);
  });
});

describe('allows', () => {
  test.each(['correct horse battery', 'a penstock of unrelated words', 'difference of seven herons', 'ada ada ada'])(
    '%s',
    (password) => {
      expect(codeOf(password)).toBeNull();
    },
  );
});
