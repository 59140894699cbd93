// The account library can let a device skip the second factor for 30 days, again and again. Such a device outlives a sign-out everywhere and
// is in no list, so it is neither accepted nor created.
import { memberOf } from './auth-body.ts';

/** The library's cookie, with any prefix. */
const TRUST_COOKIE = /^\s*(?:[\w-]+\.)?trust_device\s*=/;

/** Whether a request asks for its device to be trusted. */
export function asksForTrust(body: object): boolean {
  const wanted = memberOf(body, 'trustDevice');
  return wanted !== undefined && wanted !== false;
}

/** Removes the trust that a device was given earlier. @returns the same headers if there is none */
export function withoutTrust(headers: Headers): Headers {
  const pairs = (headers.get('cookie') ?? '').split(';');
  const kept = pairs.filter((pair) => !TRUST_COOKIE.test(pair));
  if (kept.length === pairs.length) {
    return headers;
  }
  const changed = new Headers(headers);
  changed.set('cookie', kept.join(';'));
  return changed;
}
