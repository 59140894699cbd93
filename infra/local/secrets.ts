// The secrets of an embedded system: created once, stored in its folder, readable only by their owner.
import { randomBytes } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface LocalSecrets {
  /** Password of the embedded PostgreSQL's superuser. */
  postgresPassword: string;
  /** Sign the web app's and the worker's calls to the metadata service. */
  adminKeys: string;
  /** Root of the keys for message browser tokens. */
  browseKeys: string;
  /** Root of the secrets with which agents of one zone know each other. */
  peerKeys: string;
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
  const key = (): string => `1:${randomBytes(32).toString('base64url')}`;
  const secrets: LocalSecrets = {
    postgresPassword: randomBytes(24).toString('base64url'),
    adminKeys: key(),
    browseKeys: key(),
    peerKeys: key(),
    authSecret: randomBytes(32).toString('base64url'),
  };
  await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return secrets;
}
