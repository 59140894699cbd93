// The stored form of an organization's OpenID client secret.
import type { Database } from '@penstock/database/client';
import type { SecretBox, SecretPlace } from '@penstock/platform';

const placeOf = (organizationId: string): SecretPlace => ({
  column: 'sso_connection.client_secret',
  row: organizationId,
});

/** The column holds the sealed text in bytes. */
export function sealClientSecret(box: SecretBox, organizationId: string, secret: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(box.seal(placeOf(organizationId), secret));
}

/** @throws AppError `sealed_secret_unreadable` */
export function openClientSecret(box: SecretBox, organizationId: string, stored: Uint8Array): string {
  return box.open(placeOf(organizationId), textOf(stored));
}

const textOf = (stored: Uint8Array): string => Buffer.from(stored).toString('latin1');

/** Seals all client secrets with the first root secret. @returns what was done, and the organizations that failed */
export async function resealClientSecrets(database: Database, box: SecretBox) {
  const done = { resealed: 0, unreadable: [] as string[] };
  for (const { organizationId, clientSecret } of await database.ssoConnection.findMany({
    select: { organizationId: true, clientSecret: true },
  })) {
    // SAML has no client secret.
    if (clientSecret.length === 0) {
      continue;
    }
    if (box.isCurrent(textOf(clientSecret))) {
      continue;
    }
    let secret: string;
    try {
      secret = openClientSecret(box, organizationId, clientSecret);
    } catch {
      done.unreadable.push(organizationId);
      continue;
    }
    // Skips a secret that was replaced in the meantime: the new one is already sealed with the first root secret.
    const { count } = await database.ssoConnection.updateMany({
      where: { organizationId, clientSecret },
      data: { clientSecret: sealClientSecret(box, organizationId, secret) },
    });
    done.resealed += count;
  }
  return done;
}
