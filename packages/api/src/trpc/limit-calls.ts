// Limits the calls of pages, so that one account or address cannot keep a web process busy. Calls of a batch count one by
// one. Programs have quotas of their own, by key.
import { AppError, RateLimiter } from '@penstock/platform';
import { addressNetwork } from '@penstock/platform/client-address';
import { MINUTE_MS } from '@penstock/units';
import type { Backend } from '../backend.ts';
import type { ApiContext } from './context.ts';

/** By account, over all its tabs: fifty a second, ten times what a person who clicks without pause causes. */
export const CALLS_PER_MINUTE = 3_000;
/** By network address, without an account: sign-in and invitation pages ask little. */
export const UNAUTHENTICATED_CALLS_PER_MINUTE = 600;

interface Limiters {
  accounts: RateLimiter;
  addresses: RateLimiter;
}

const limiters = new WeakMap<Backend, Limiters>();

function limitersOf(backend: Backend): Limiters {
  const known = limiters.get(backend);
  if (known !== undefined) {
    return known;
  }
  const made = {
    accounts: new RateLimiter('dashboard', CALLS_PER_MINUTE, MINUTE_MS),
    addresses: new RateLimiter('unauthenticated', UNAUTHENTICATED_CALLS_PER_MINUTE, MINUTE_MS),
  };
  limiters.set(backend, made);
  return made;
}

/** Counts a call. @throws AppError `too_many_calls` */
export function countCall({ backend, session, api, address, now }: ApiContext): void {
  if (api !== null) {
    return;
  }
  const { accounts, addresses } = limitersOf(backend);
  const verdict =
    session === null
      ? addresses.take(addressNetwork(address), now.getTime())
      : accounts.take(session.user.id, now.getTime());
  if (verdict.allowed) {
    return;
  }
  throw new AppError({
    kind: 'rate-limited',
    code: 'too_many_calls',
    message: 'Too many requests. Nothing was changed.',
    remedy: `Try again in ${verdict.headers['Retry-After'] ?? '60'} s.`,
  });
}
