// Deletes expired account data.
import type { Database } from '@penstock/database/client';
import { DAY_MS } from '@penstock/units';

/** Longer than any throttle window. */
const RATE_LIMIT_AGE_MS = DAY_MS;

/** As long as a network stays familiar to an account. */
const FAMILIAR_AGE_MS = 90 * DAY_MS;

/**
 * How long an account waits for its address to be verified. Sign-up creates none that waits; older releases did, and
 * anyone could have made them.
 */
const UNVERIFIED_AGE_MS = DAY_MS;

/** @returns how many rows of each kind were deleted */
export async function expireAccountsData(
  database: Database,
  now: Date,
): Promise<{ sessions: number; verifications: number; rateLimits: number; throttles: number; unverified: number }> {
  const sessions = await database.session.deleteMany({ where: { expiresAt: { lt: now } } });
  const verifications = await database.verification.deleteMany({ where: { expiresAt: { lt: now } } });
  const rateLimits = await database.rateLimit.deleteMany({
    where: { lastRequest: { lt: BigInt(now.getTime() - RATE_LIMIT_AGE_MS) } },
  });
  const throttles = await database.authThrottle.deleteMany({
    where: { startedAt: { lt: new Date(now.getTime() - RATE_LIMIT_AGE_MS) } },
  });
  await database.familiarAddress.deleteMany({ where: { seenAt: { lt: new Date(now.getTime() - FAMILIAR_AGE_MS) } } });
  const unverified = await database.user.deleteMany({
    where: {
      emailVerified: false,
      createdAt: { lt: new Date(now.getTime() - UNVERIFIED_AGE_MS) },
      members: { none: {} },
      scimUsers: { none: {} },
    },
  });
  return {
    sessions: sessions.count,
    verifications: verifications.count,
    rateLimits: rateLimits.count,
    throttles: throttles.count,
    unverified: unverified.count,
  };
}
