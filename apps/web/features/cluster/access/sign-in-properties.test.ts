import { expect, test } from 'vitest';
import { signInProperties } from './sign-in-properties';

test('each kind of client gets mechanism, user and password', () => {
  for (const { code } of signInProperties({ user: 'billing', password: 'secret', mechanism: 'SCRAM-SHA-256' })) {
    expect(code).toContain('SCRAM-SHA-256');
    expect(code).toContain('billing');
    expect(code).toContain('secret');
  }
});

test('a user name is quoted for properties files and JAAS', () => {
  const [java] = signInProperties({ user: 'a"b\\c', password: 'p', mechanism: 'SCRAM-SHA-512' });
  expect(java?.code).toContain('username="a\\\\"b\\\\\\\\c"');
});
