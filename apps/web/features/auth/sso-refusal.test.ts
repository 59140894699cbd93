import { expect, test } from 'vitest';
import { ssoRefusal } from './sso-refusal.ts';

test('every refusal has words, unknown ones too, and no code is shown to anybody', () => {
  expect(ssoRefusal(undefined)).toBeNull();
  for (const code of ['sso_state_unknown', 'sso_domain_foreign', 'sso_provider_unreachable', '<script>']) {
    expect(ssoRefusal(code)).toMatch(/^[A-Z].*\.$/);
    expect(ssoRefusal(code)).not.toContain(code);
  }
});
