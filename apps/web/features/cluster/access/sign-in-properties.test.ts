import { expect, test } from 'vitest';
import { signInProperties } from './sign-in-properties';

test('each kind of client gets the mechanism, the user and the password', () => {
  for (const { code } of signInProperties({ user: 'billing', password: 'secret', mechanism: 'SCRAM-SHA-256' })) {
    expect(code).toContain('SCRAM-SHA-256');
    expect(code).toContain('billing');
    expect(code).toContain('secret');
  }
});

test('a quote or backslash in a user’s name survives the properties file and the JAAS configuration', () => {
  const [java] = signInProperties({ user: 'a"b\\c', password: 'p', mechanism: 'SCRAM-SHA-512' });
  expect(java?.code).toContain('username="a\\\\"b\\\\\\\\c"');
});
