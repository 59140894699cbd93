// Counts attempts to guess a secret. Each attempt is one statement, so PostgreSQL's row lock decides between concurrent
// attempts: exactly the limit gets through, whichever process they reach.
import { createHmac } from 'node:crypto';
import type { Database } from '@penstock/database/client';

export interface ThrottleLimit {
  /** Attempts allowed within a window. The window begins with the first attempt. */
  attempts: number;
  window_s: number;
}

/** The events that are counted together, such as sign-ins to one account. */
export interface ThrottleSubject {
  /** The action and what it is counted by, e.g. `sign-in:account`. */
  kind: string;
  /** The account or address. Stored only as a keyed hash, so the table does not reveal who signs in from where. */
  value: string;
  limit: ThrottleLimit;
}

export type ThrottleVerdict = { isAllowed: true } | { isAllowed: false; retryAfterS: number };

export interface Throttle {
  /** Counts an attempt under every subject. Refused if one of them has reached its limit. */
  attempt(subjects: readonly ThrottleSubject[], now: Date): Promise<ThrottleVerdict>;
  /** Uncounts an attempt, e.g. one with a right password. */
  refund(subject: ThrottleSubject): Promise<void>;
  /** Clears all attempts, e.g. at an account whose owner has proven their identity. */
  clear(subject: ThrottleSubject): Promise<void>;
}

export function createThrottle(database: Database, secret: string): Throttle {
  const keyOf = ({ kind, value }: ThrottleSubject): string =>
    createHmac('sha256', secret).update(`${kind}\n${value}`).digest('base64url');

  /** @returns null if the attempt is allowed, otherwise when the window ends */
  async function count(subject: ThrottleSubject, now: Date): Promise<Date | null> {
    const { attempts, window_s: windowS } = subject.limit;
    const windowStart = new Date(now.getTime() - windowS * 1_000);
    // A full window is left unchanged, so a flood of refused attempts does not prolong it.
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
      // In sequence, so that a refusal by the first subject does not count against the next.
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
