import { expect, test } from 'vitest';
import { withoutTrust } from './trusted-devices.ts';

test.each([
  ['penstock.session_token=a; penstock.trust_device=b', 'penstock.session_token=a'],
  ['__Secure-penstock.trust_device=b; __Secure-penstock.session_token=a', ' __Secure-penstock.session_token=a'],
  ['other_trust_device=b', 'other_trust_device=b'],
  ['', ''],
])('%j keeps everything but the trust of a device', (cookie, kept) => {
  expect(withoutTrust(new Headers({ cookie })).get('cookie')?.trim()).toBe(kept.trim());
});
