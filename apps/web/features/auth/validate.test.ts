import { describe, expect, it } from 'vitest';
import { emailFault, newPasswordFault } from './validate.ts';

describe('account form checks', () => {
  it.each(['ada@example.com', ' ada@example.com ', 'a+b@localhost'])('accepts %j', (email) => {
    expect(emailFault(email)).toBeNull();
  });

  it.each(['', '   ', 'ada', 'ada@', '@example.com', 'a b@example.com'])('explains what is wrong with %j', (email) => {
    expect(emailFault(email)).toMatch(/email address/);
  });

  it('accepts a new password of 10 to 128 characters and explains other lengths', () => {
    expect(newPasswordFault('a'.repeat(10))).toBeNull();
    expect(newPasswordFault('a'.repeat(128))).toBeNull();
    expect(newPasswordFault('a'.repeat(9))).toContain('at least 10');
    expect(newPasswordFault('a'.repeat(129))).toContain('at most 128');
  });
});
