// The secrets of an embedded system: created once, stored in its folder, readable only by their owner.
import { randomBytes } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface LocalSecrets {
  /** Password of the embedded PostgreSQL's superuser. */
  postgresPassword: string;
  /** The web app's and the worker's key for the metadata service's admin calls. */
  internalToken: string;
  /** Signs and encrypts the sign-in library's tokens. */
  authSecret: string;
}

/** Reads the secrets of this folder, or creates them. */
export async function localSecrets(home: string): Promise<LocalSecrets> {
  const file = join(home, 'secrets.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined) {
    await chmod(file, 0o600);
    return JSON.parse(text) as LocalSecrets;
  }
  const secrets: LocalSecrets = {
    postgresPassword: randomBytes(24).toString('base64url'),
    internalToken: randomBytes(32).toString('base64url'),
    authSecret: randomBytes(32).toString('base64url'),
  };
  await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return secrets;
}
