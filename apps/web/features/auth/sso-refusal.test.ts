import { expect, test } from 'vitest';
import { ssoRefusal } from './sso-refusal.ts';

test('every SSO error has a message without its code', () => {
  expect(ssoRefusal(undefined)).toBeNull();
  for (const code of [
    'sso_state_unknown',
    'sso_domain_foreign',
    'sso_group_missing',
    'sso_provider_unreachable',
    '<script>',
    'constructor',
    '__proto__',
  ]) {
    expect(ssoRefusal(code)).toMatch(/^[A-Z].*\.$/);
    expect(ssoRefusal(code)).not.toContain(code);
  }
});
