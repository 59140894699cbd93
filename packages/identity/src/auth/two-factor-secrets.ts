// Authenticator secrets and recovery codes, which the account library encrypts in a format of its own:
// `$ba$<id of the root secret>$<hex>`, or the bare hex where PENSTOCK_AUTH_SECRET was the only root secret.
import type { Database } from '@penstock/database/client';
import { AUTH_SECRET_ID, type RootSecrets } from '@penstock/platform';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';

/** The library's settings for root secrets. Without a list it writes the bare format. */
export function librarySecrets(secrets: RootSecrets) {
  const old = secrets.find(({ id }) => id === AUTH_SECRET_ID);
  return {
    ...(old === undefined ? {} : { secret: old.secret }),
    ...(isBare(secrets) ? {} : { secrets: secrets.map(({ id, secret }) => ({ version: id, value: secret })) }),
  };
}

const isBare = ([first]: RootSecrets): boolean => first.id === AUTH_SECRET_ID;

/** Encrypts all of them with the first root secret. @returns what was done, and the users whose rows failed */
export async function resealTwoFactors(database: Database, secrets: RootSecrets) {
  const done = { resealed: 0, unreadable: [] as string[] };
  if (isBare(secrets)) {
    return done;
  }
  const [first] = secrets;
  const old = secrets.find(({ id }) => id === AUTH_SECRET_ID);
  const key = {
    keys: new Map(secrets.map(({ id, secret }) => [id, secret])),
    currentVersion: first.id,
    ...(old === undefined ? {} : { legacySecret: old.secret }),
  };
  const again = async (data: string): Promise<string> =>
    symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) });
  const current = `$ba$${first.id}$`;
  const rows = await database.twoFactor.findMany({
    where: { OR: [{ NOT: { secret: { startsWith: current } } }, { NOT: { backupCodes: { startsWith: current } } }] },
    select: { id: true, userId: true, secret: true, backupCodes: true },
  });
  for (const { id, userId, secret, backupCodes } of rows) {
    let data: { secret: string; backupCodes: string };
    try {
      data = { secret: await again(secret), backupCodes: await again(backupCodes) };
    } catch {
      done.unreadable.push(userId);
      continue;
    }
    // Skips a row that its user has just changed, e.g. by using a recovery code. The next run reseals it.
    const { count } = await database.twoFactor.updateMany({ where: { id, secret, backupCodes }, data });
    done.resealed += count;
  }
  return done;
}
