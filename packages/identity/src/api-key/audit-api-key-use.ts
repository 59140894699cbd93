// Puts uses of API keys from new networks, and calls with revoked or expired keys, into the audit log: each network once,
// and refusals as one row per key and hour. Owners and admins get a mail about new networks, one per key and day: the rest is in the log.
import type { Database } from '@penstock/database/client';
import { type Actor, inTransaction, nameInMail, queueMail, recordAudit, type Scope } from '@penstock/tenancy';
import { DAY_MS, formatDateTime, HOUR_MS, MINUTE_MS } from '@penstock/units';

const actor: Actor = { type: 'system', id: null, label: 'API keys', source: 'worker' };
/** Web processes whose clocks are slow may still count in an hour for this long after it. */
const SETTLING_MS = MINUTE_MS;
/** One transaction's share; the rest follows with the next run. */
const MAX_ROWS = 500;

interface NetworkRow {
  key_id: string;
  organization_id: string;
  name: string;
  network: string;
  address: string;
  first_seen_at: Date;
}

interface RefusalRow {
  key_id: string;
  organization_id: string;
  name: string;
  hour: Date;
  attempts: number;
  address: string;
}

/** @param webUrl for links in mails, which have none without it @returns how many rows were written */
export function auditApiKeyUse(database: Database, webUrl: string | undefined, now: Date): Promise<number> {
  const endedBefore = new Date(now.getTime() - HOUR_MS - SETTLING_MS);
  // Changed first: of two workers, only one gets each row.
  return inTransaction(database, async (tx) => {
    const networks = await tx.$queryRaw<NetworkRow[]>`
      UPDATE api_key_network n SET audited_at = ${now} FROM api_key k
      WHERE k.id = n.key_id AND (n.key_id, n.network) IN (
        SELECT key_id, network FROM api_key_network WHERE audited_at IS NULL LIMIT ${MAX_ROWS} FOR UPDATE SKIP LOCKED)
      RETURNING n.key_id, n.organization_id, k.name, n.network, n.address, n.first_seen_at`;
    const refusals = await tx.$queryRaw<RefusalRow[]>`
      DELETE FROM api_key_refusal r USING api_key k
      WHERE k.id = r.key_id AND (r.key_id, r.hour) IN (
        SELECT key_id, hour FROM api_key_refusal WHERE hour <= ${endedBefore} LIMIT ${MAX_ROWS} FOR UPDATE SKIP LOCKED)
      RETURNING r.key_id, r.organization_id, k.name, r.hour, r.attempts, r.address`;
    for (const { key_id, organization_id, name, network, address } of networks) {
      await recordAudit(
        { tx, organizationId: organization_id, actor, now },
        { action: 'api-key.new-network', targetType: 'api-key', targetId: key_id, after: { name, address, network } },
      );
    }
    for (const { key_id, organization_id, name, hour, attempts, address } of refusals) {
      await recordAudit(
        { tx, organizationId: organization_id, actor, now },
        {
          action: 'api-key.refuse',
          targetType: 'api-key',
          targetId: key_id,
          after: { name, attempts, withinHourFrom: hour.toISOString(), lastAddress: address },
        },
      );
    }
    for (const [keyId, seen] of Map.groupBy(networks, (row) => row.key_id)) {
      await mailAbout({ tx, now }, keyId, seen, webUrl);
    }
    return networks.length + refusals.length;
  });
}

async function mailAbout(
  { tx, now }: Pick<Scope, 'tx' | 'now'>,
  keyId: string,
  seen: readonly NetworkRow[],
  webUrl: string | undefined,
): Promise<void> {
  const [first] = seen;
  if (first === undefined) {
    return;
  }
  const organizationId = first.organization_id;
  const mailed = await tx.apiKeyNetwork.count({
    where: { keyId, organizationId, mailedAt: { gt: new Date(now.getTime() - DAY_MS) } },
  });
  if (mailed > 0) {
    return;
  }
  await tx.apiKeyNetwork.update({
    where: { keyId_network: { keyId, network: first.network } },
    data: { mailedAt: now },
  });
  const members = await tx.member.findMany({
    where: { organizationId, role: { in: ['owner', 'admin'] } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { user: { select: { email: true } } },
  });
  const link = webUrl === undefined ? null : `${webUrl}/app/api-keys`;
  const text = [
    ...seen.map(
      ({ address, network, first_seen_at: at }) =>
        `The API key “${nameInMail(first.name)}” was used from ${address} at ${formatDateTime(at.getTime(), 'UTC')}, its first use from ${network}.`,
    ),
    'If you don’t know this network, revoke the key. We write once a day about a key; the audit log has all networks.',
    ...(link === null ? [] : [`View API keys: ${link}`]),
  ].join('\n\n');
  const subject = `API key used from a new network (${nameInMail(first.name)})`;
  for (const { user } of members) {
    await queueMail(tx, { to: user.email, subject, text, link }, now);
  }
}
