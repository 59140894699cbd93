// Limits the calls of pages, so that one account or address cannot keep a web process busy. Calls of a batch count one by
// one. Programs have quotas of their own, by key.
import { AppError, RateLimiter, type RateLimiterOptions } from '@penstock/platform';
import { addressNetwork } from '@penstock/platform/client-address';
import { createSharedBudget } from '@penstock/tenancy';
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

/**
 * For limits that all web processes keep together. If the database doesn't answer, each process keeps its own: an outage
 * must not refuse everybody, and without a database few calls get further.
 */
export function sharedLimits({ accounts, logger }: Pick<Backend, 'accounts' | 'logger'>): RateLimiterOptions {
  return {
    shared: createSharedBudget(accounts),
    onProblem: (error) => logger.warn({ err: error }, 'A rate limit could not be shared with the other processes'),
  };
}

function limitersOf(backend: Backend): Limiters {
  const known = limiters.get(backend);
  if (known !== undefined) {
    return known;
  }
  const options = sharedLimits(backend);
  const made = {
    accounts: new RateLimiter('dashboard', CALLS_PER_MINUTE, MINUTE_MS, options),
    addresses: new RateLimiter('unauthenticated', UNAUTHENTICATED_CALLS_PER_MINUTE, MINUTE_MS, options),
  };
  limiters.set(backend, made);
  return made;
}

/** Counts a call. @throws AppError `too_many_calls` */
export async function countCall({ backend, session, api, address, now }: ApiContext): Promise<void> {
  if (api !== null) {
    return;
  }
  const { accounts, addresses } = limitersOf(backend);
  const verdict =
    session === null
      ? await addresses.take(addressNetwork(address), now.getTime())
      : await accounts.take(session.user.id, now.getTime());
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
