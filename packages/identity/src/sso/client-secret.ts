// The stored form of an organization's OpenID client secret.
import type { Database } from '@penstock/database/client';
import { AUTH_SECRET_ID, isSealed, type SecretBox, type SecretPlace } from '@penstock/platform';

const placeOf = (organizationId: string): SecretPlace => ({
  column: 'sso_connection.client_secret',
  row: organizationId,
});

/** The column holds bytes, because releases before sealed texts wrote bytes. */
export function sealClientSecret(box: SecretBox, organizationId: string, secret: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(box.seal(placeOf(organizationId), secret));
}

/** @throws AppError `sealed_secret_unreadable` */
export function openClientSecret(box: SecretBox, organizationId: string, stored: Uint8Array): string {
  const text = textOf(stored);
  return isSealed(text)
    ? box.open(placeOf(organizationId), text)
    : box.openOld(`sso-client-secret:${organizationId}`, stored);
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
    const text = textOf(clientSecret);
    // Without a list of root secrets, web processes of the release before may still run and read only their own format.
    const isCurrent = box.isCurrent(text) || (!isSealed(text) && box.currentId === AUTH_SECRET_ID);
    if (isCurrent) {
      continue;
    }
    let secret: string;
    try {
      secret = openClientSecret(box, organizationId, clientSecret);
    } catch {
      done.unreadable.push(organizationId);
      continue;
    }
    // Leaves a secret alone that somebody has replaced meanwhile: the new one is sealed with the first root secret.
    const { count } = await database.ssoConnection.updateMany({
      where: { organizationId, clientSecret },
      data: { clientSecret: sealClientSecret(box, organizationId, secret) },
    });
    done.resealed += count;
  }
  return done;
}
