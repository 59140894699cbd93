import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { authenticatorCode, emailInput, newPassword, recoveryCode } from './auth-inputs.ts';

const faultOf = (schema: z.ZodType, text: string) => schema.safeParse(text).error?.issues[0]?.message;

describe('account form checks', () => {
  it.each(['ada@example.com', ' ada@example.com ', 'a+b@localhost'])(
    'accepts %j, without spaces around it',
    (email) => {
      expect(emailInput.parse(email)).toBe(email.trim());
    },
  );

  it.each(['', '   ', 'ada', 'ada@', '@example.com', 'a b@example.com'])('explains what is wrong with %j', (email) => {
    expect(faultOf(emailInput, email)).toMatch(/email address/);
  });

  it('accepts only new passwords of 10 to 128 characters', () => {
    expect(faultOf(newPassword, 'a'.repeat(10))).toBeUndefined();
    expect(faultOf(newPassword, 'a'.repeat(128))).toBeUndefined();
    expect(faultOf(newPassword, 'a'.repeat(9))).toContain('at least 10');
    expect(faultOf(newPassword, 'a'.repeat(129))).toContain('at most 128');
  });

  it('reads codes with spaces, and explains others', () => {
    expect(authenticatorCode.parse(' 123 456')).toBe('123456');
    expect(faultOf(authenticatorCode, '12345')).toContain('six-digit code');
    expect(recoveryCode.parse('abcde fghij')).toBe('abcdefghij');
    expect(faultOf(recoveryCode, '  ')).toContain('recovery codes');
  });
});
