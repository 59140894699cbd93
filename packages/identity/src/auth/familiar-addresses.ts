// Remembers from which networks an account was signed in to. A person at such a network has a count of attempts of their
// own, so that somebody elsewhere cannot lock them out by guessing.
import { createHmac } from 'node:crypto';
import type { Database } from '@penstock/database/client';
import type { RootSecrets } from '@penstock/platform';
import { DAY_MS } from '@penstock/units';

/** How long a network stays familiar after the last sign-in. */
export const FAMILIAR_MS = 90 * DAY_MS;

export interface AccountPlace {
  /** The address, in upper or lower case. */
  email: string;
  /** As addressNetwork gives it. */
  address: string;
}

export interface FamiliarAddresses {
  has(place: AccountPlace, now: Date): Promise<boolean>;
  add(place: AccountPlace, now: Date): Promise<void>;
}

/** @param secrets the first one keys new rows, and all of them find rows */
export function createFamiliarAddresses(database: Database, secrets: RootSecrets): FamiliarAddresses {
  const keysOf = ({ email, address }: AccountPlace): string[] =>
    secrets.map(({ secret }) =>
      createHmac('sha256', secret).update(`familiar\n${email.trim().toLowerCase()}\n${address}`).digest('base64url'),
    );
  return {
    async has(place, now) {
      const rows = await database.familiarAddress.findMany({
        where: { key: { in: keysOf(place) } },
        select: { seenAt: true },
      });
      return rows.some(({ seenAt }) => now.getTime() - seenAt.getTime() < FAMILIAR_MS);
    },
    async add(place, now) {
      const [key = ''] = keysOf(place);
      await database.familiarAddress.upsert({ where: { key }, create: { key, seenAt: now }, update: { seenAt: now } });
    },
  };
}
