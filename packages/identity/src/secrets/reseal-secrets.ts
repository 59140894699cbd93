// Seals everything in the database with the first root secret, so that an older one can be removed.
import type { Database } from '@penstock/database/client';
import { createSecretBox, type RootSecrets } from '@penstock/platform';
import { resealWebhookSecrets } from '@penstock/tenancy';
import { resealTwoFactors } from '../auth/two-factor-secrets.ts';
import { resealClientSecrets } from '../sso/client-secret.ts';

export interface ResealedColumn {
  /** e.g. `webhook secrets`, for people. */
  name: string;
  resealed: number;
  /** Organizations or users whose secrets no configured root secret opens. */
  unreadable: string[];
}

/** Safe to run at any time and in several processes at once. A row that changes during the run is left to the next one. */
export async function resealSecrets(database: Database, secrets: RootSecrets): Promise<ResealedColumn[]> {
  const box = createSecretBox(secrets);
  return [
    { name: 'webhook secrets', ...(await resealWebhookSecrets(database, box)) },
    { name: 'SSO client secrets', ...(await resealClientSecrets(database, box)) },
    { name: 'authenticator secrets', ...(await resealTwoFactors(database, secrets)) },
  ];
}
