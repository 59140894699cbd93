// Counts attempts at what can be guessed. One statement per attempt, so that PostgreSQL's row lock decides between attempts
// that race: of any number at once exactly the limit gets through, whichever process they reach.
import { createHmac } from 'node:crypto';
import type { Database } from '@penstock/database/client';

export interface ThrottleLimit {
  /** Attempts that may be made within a window, which begins with the first of them. */
  attempts: number;
  window_s: number;
}

/** What is counted together, e.g. sign-ins to one account. */
export interface ThrottleSubject {
  /** The action and what of it is counted, e.g. `sign-in:account`. */
  kind: string;
  /** The account or address. Stored as a keyed hash alone: the table tells nobody who signs in from where. */
  value: string;
  limit: ThrottleLimit;
}

export type ThrottleVerdict = { isAllowed: true } | { isAllowed: false; retryAfterS: number };

export interface Throttle {
  /** Counts an attempt under every subject; refused when one of them has had its limit. */
  attempt(subjects: readonly ThrottleSubject[], now: Date): Promise<ThrottleVerdict>;
  /** Takes an attempt back that was none, e.g. a right password. */
  refund(subject: ThrottleSubject): Promise<void>;
  /** Forgets all attempts, e.g. at an account whose owner has proven who they are. */
  clear(subject: ThrottleSubject): Promise<void>;
}

export function createThrottle(database: Database, secret: string): Throttle {
  const keyOf = ({ kind, value }: ThrottleSubject): string =>
    createHmac('sha256', secret).update(`${kind}\n${value}`).digest('base64url');

  /** @returns null when the attempt may be made, else when the window ends */
  async function count(subject: ThrottleSubject, now: Date): Promise<Date | null> {
    const { attempts, window_s: windowS } = subject.limit;
    const windowStart = new Date(now.getTime() - windowS * 1_000);
    // A full window is left as it is: a flood of refused attempts does not prolong it.
    const counted = await database.$queryRaw<{ attempts: number }[]>`
      INSERT INTO auth_throttle AS throttle (key, attempts, started_at) VALUES (${keyOf(subject)}, 1, ${now})
      ON CONFLICT (key) DO UPDATE SET
        attempts = CASE WHEN throttle.started_at <= ${windowStart} THEN 1 ELSE throttle.attempts + 1 END,
        started_at = CASE WHEN throttle.started_at <= ${windowStart} THEN EXCLUDED.started_at ELSE throttle.started_at END
      WHERE throttle.attempts < ${attempts} OR throttle.started_at <= ${windowStart}
      RETURNING attempts`;
    if (counted.length > 0) {
      return null;
    }
    const row = await database.authThrottle.findUnique({ where: { key: keyOf(subject) } });
    return new Date((row?.startedAt.getTime() ?? now.getTime()) + windowS * 1_000);
  }

  return {
    async attempt(subjects, now) {
      // One after the other: a refusal by the first spends nothing of the next.
      for (const subject of subjects) {
        const fullUntil = await count(subject, now);
        if (fullUntil !== null) {
          const leftS = Math.ceil((fullUntil.getTime() - now.getTime()) / 1_000);
          return { isAllowed: false, retryAfterS: Math.max(1, leftS) };
        }
      }
      return { isAllowed: true };
    },
    async refund(subject) {
      await database.authThrottle.updateMany({
        where: { key: keyOf(subject), attempts: { gt: 0 } },
        data: { attempts: { decrement: 1 } },
      });
    },
    async clear(subject) {
      await database.authThrottle.deleteMany({ where: { key: keyOf(subject) } });
    },
  };
}
