// Deletes expired account data.
import type { Database } from '@penstock/database/client';
import { DAY_MS } from '@penstock/units';

/** Longer than any throttle window. */
const RATE_LIMIT_AGE_MS = DAY_MS;

/** As long as a network stays familiar to an account. */
const FAMILIAR_AGE_MS = 90 * DAY_MS;

/** @returns how many rows of each kind were deleted */
export async function expireAccountsData(
  database: Database,
  now: Date,
): Promise<{ sessions: number; verifications: number; rateLimits: number; throttles: number }> {
  const sessions = await database.session.deleteMany({ where: { expiresAt: { lt: now } } });
  const verifications = await database.verification.deleteMany({ where: { expiresAt: { lt: now } } });
  const rateLimits = await database.rateLimit.deleteMany({
    where: { lastRequest: { lt: BigInt(now.getTime() - RATE_LIMIT_AGE_MS) } },
  });
  const throttles = await database.authThrottle.deleteMany({
    where: { startedAt: { lt: new Date(now.getTime() - RATE_LIMIT_AGE_MS) } },
  });
  await database.familiarAddress.deleteMany({ where: { seenAt: { lt: new Date(now.getTime() - FAMILIAR_AGE_MS) } } });
  return {
    sessions: sessions.count,
    verifications: verifications.count,
    rateLimits: rateLimits.count,
    throttles: throttles.count,
  };
}
