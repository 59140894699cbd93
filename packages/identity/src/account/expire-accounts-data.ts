// Removes what of accounts has had its time.
import type { Database } from '@penstock/database/client';
import { DAY_MS } from '@penstock/units';

/** Longer than any window of the throttles. */
const rateLimitAge_ms = DAY_MS;

/** @returns how many rows of each went */
export async function expireAccountsData(
  database: Database,
  now: Date,
): Promise<{ sessions: number; verifications: number; rateLimits: number; throttles: number }> {
  const sessions = await database.session.deleteMany({ where: { expiresAt: { lt: now } } });
  const verifications = await database.verification.deleteMany({ where: { expiresAt: { lt: now } } });
  const rateLimits = await database.rateLimit.deleteMany({
    where: { lastRequest: { lt: BigInt(now.getTime() - rateLimitAge_ms) } },
  });
  const throttles = await database.authThrottle.deleteMany({
    where: { startedAt: { lt: new Date(now.getTime() - rateLimitAge_ms) } },
  });
  return {
    sessions: sessions.count,
    verifications: verifications.count,
    rateLimits: rateLimits.count,
    throttles: throttles.count,
  };
}
