// Writes down what the audit log says about uses of API keys. The worker writes the log itself (audit-api-key-use.ts):
// web processes see the same key at the same time.
import type { Database } from '@penstock/database/client';
import { alertNetwork } from '@penstock/platform/client-address';
import { HOUR_MS } from '@penstock/units';
import type { ApiKeyRow } from './api-key-lookup.ts';

/** Maximum number of networks recorded per key, so that a key used from everywhere does not fill the table. */
const MAX_NETWORKS = 100;
const MAX_REMEMBERED = 10_000;

/** Networks that this process has written down lately, by key. Forgotten as a whole: then they are written again. */
const noted = new Set<string>();

/** Notes a network that the key was not seen in before. */
export async function noteNetwork(
  database: Database,
  { id, organizationId }: ApiKeyRow,
  address: string,
  now: Date,
): Promise<void> {
  const network = alertNetwork(address);
  const use = `${id} ${network}`;
  if (noted.has(use)) {
    return;
  }
  // The first network that a key is used from is no news.
  await database.$executeRaw`
    INSERT INTO api_key_network (key_id, network, organization_id, address, first_seen_at, audited_at)
    SELECT ${id}::uuid, ${network}, ${organizationId}, ${address}, ${now}::timestamptz,
      CASE WHEN known.total = 0 THEN ${now}::timestamptz END
    FROM (SELECT count(*) AS total FROM api_key_network WHERE key_id = ${id}::uuid) AS known
    WHERE known.total < ${MAX_NETWORKS}
    ON CONFLICT (key_id, network) DO NOTHING`;
  if (noted.size >= MAX_REMEMBERED) {
    noted.clear();
  }
  noted.add(use);
}

/** Counts a call with a revoked or expired key. Callers are limited by their network before. */
export async function noteRefusal(
  database: Database,
  { id, organizationId }: ApiKeyRow,
  address: string,
  now: Date,
): Promise<void> {
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  await database.$executeRaw`
    INSERT INTO api_key_refusal AS refusal (key_id, hour, organization_id, attempts, address)
    VALUES (${id}::uuid, ${hour}::timestamptz, ${organizationId}, 1, ${address})
    ON CONFLICT (key_id, hour) DO UPDATE SET attempts = refusal.attempts + 1, address = EXCLUDED.address`;
}
