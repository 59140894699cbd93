// Tells owners what the metadata service wrote down about agent keys: uses from a new network, refused uses, addresses that wait or were
// refused, and keys that expire soon. Each once: an event, an audit row where a key was used, and one mail per cluster.
import type { Database } from '@penstock/database/client';
import { type Actor, inTransaction, nameInMail, queueMail, recordAudit, type Scope } from '@penstock/tenancy';
import { DAY_MS, formatDateTime } from '@penstock/units';
import type { NewClusterEvent } from '../event/cluster-event.ts';
import { recordEvents } from '../event/record-events.ts';
import { alertRecipients } from '../health/alert-recipients.ts';

const actor: Actor = { type: 'system', id: null, label: 'Agent keys', source: 'worker' };
/** How long before its expiry the owners are warned of a key. */
const WARNING_MS = 7 * DAY_MS;

interface ClusterRow {
  id: string;
  name: string;
  organization_id: string;
}

/** @param webUrl for links in mails, which have none without it @returns how many findings were announced */
export async function announceAgentAccess(database: Database, webUrl: string | undefined, now: Date): Promise<number> {
  const clusters = await database.$queryRaw<ClusterRow[]>`
    SELECT c.id, c.name, c.organization_id FROM virtual_cluster c WHERE c.deleted_at IS NULL AND c.id IN (
      SELECT k.cluster_id FROM agent_key_network n JOIN agent_key k ON k.id = n.key_id WHERE n.announced_at IS NULL
      UNION SELECT cluster_id FROM agent_address WHERE state IN ('pending', 'refused') AND announced_at IS NULL
      UNION SELECT cluster_id FROM agent_key WHERE revoked_at IS NULL AND expiry_warned_at IS NULL
        AND expires_at > ${now} AND expires_at <= ${new Date(now.getTime() + WARNING_MS)})`;
  let announced = 0;
  for (const cluster of clusters) {
    announced += await inTransaction(database, (tx) =>
      announceIn({ tx, organizationId: cluster.organization_id, actor, now }, cluster, webUrl),
    );
  }
  return announced;
}

async function announceIn(scope: Scope, cluster: ClusterRow, webUrl: string | undefined): Promise<number> {
  // Updated first: of two workers, only one gets each row.
  const events = [
    ...(await networkEvents(scope, cluster)),
    ...(await addressEvents(scope, cluster)),
    ...(await expiryEvents(scope, cluster)),
  ];
  await recordEvents(scope, cluster.id, events);
  const [first] = events;
  if (first === undefined) {
    return 0;
  }
  const link = webUrl === undefined ? null : `${webUrl}/app/clusters/${cluster.id}/keys`;
  const more = events.length === 1 ? '' : ` and ${events.length - 1} more`;
  const subject = `${SUBJECTS[first.type] ?? 'Agent keys'}${more} (${nameInMail(cluster.name)})`;
  const text = [
    `Cluster ${cluster.name} (${cluster.id})`,
    ...events.map((event) => event.text),
    ...(link === null ? [] : [`View agent keys and addresses: ${link}`]),
  ].join('\n\n');
  for (const to of (await alertRecipients(scope)).emails) {
    await queueMail(scope.tx, { to, subject, text, link }, scope.now);
  }
  return events.length;
}

const SUBJECTS: Readonly<Partial<Record<NewClusterEvent['type'], string>>> = {
  'io.penstock.agent-key.new-network': 'Agent key used from a new network',
  'io.penstock.agent-key.refused': 'Agent key refused',
  'io.penstock.agent-key.expiring': 'Agent key expires soon',
  'io.penstock.agent-address.pending': 'Agent address waits for confirmation',
  'io.penstock.agent-address.refused': 'Agent address refused',
};

async function networkEvents(scope: Scope, cluster: ClusterRow): Promise<NewClusterEvent[]> {
  const { tx, now, organizationId } = scope;
  const rows = await tx.agentKeyNetwork.updateManyAndReturn({
    where: { organizationId, announcedAt: null, key: { clusterId: cluster.id } },
    data: { announcedAt: now },
    include: { key: { select: { name: true } } },
  });
  for (const { keyId, key, address, network } of rows.filter(({ isRefused }) => !isRefused)) {
    await recordAudit(scope, {
      action: 'agent-key.new-network',
      targetType: 'agent-key',
      targetId: keyId,
      after: { clusterId: cluster.id, name: key.name, address, network },
    });
  }
  return rows.map(({ keyId, key, address, network, isRefused, firstSeenAt }) => ({
    type: isRefused ? ('io.penstock.agent-key.refused' as const) : ('io.penstock.agent-key.new-network' as const),
    subject: `agent-key/${keyId}`,
    severity: 'warning',
    text: isRefused
      ? `The key “${key.name}” was refused at ${at(firstSeenAt)}: ${address} is not in its networks. If this isn’t one of your agents, the key has leaked. Revoke it.`
      : `The key “${key.name}” was used from ${address} at ${at(firstSeenAt)}, its first use from ${network}. If you don’t know this network, revoke the key.`,
    data: { agentKeyId: keyId, name: key.name, address, network },
  }));
}

async function addressEvents({ tx, now, organizationId }: Scope, cluster: ClusterRow): Promise<NewClusterEvent[]> {
  const rows = await tx.agentAddress.updateManyAndReturn({
    where: { organizationId, clusterId: cluster.id, state: { in: ['pending', 'refused'] }, announcedAt: null },
    data: { announcedAt: now },
    include: { key: { select: { name: true } } },
  });
  return rows.map(({ host, state, keyId, key }) => ({
    type:
      state === 'pending'
        ? ('io.penstock.agent-address.pending' as const)
        : ('io.penstock.agent-address.refused' as const),
    subject: `agent-address/${host}`,
    severity: 'warning',
    text:
      state === 'pending'
        ? `An agent with the key “${key?.name ?? 'unknown'}” advertises ${host}, which is new to this cluster. No clients are sent there until you confirm the address. If you don’t know it, revoke the key.`
        : `An agent with the key “${key?.name ?? 'unknown'}” tried to register ${host}, which is not among the key’s addresses. If you don’t know it, revoke the key.`,
    data: { host, agentKeyId: keyId, name: key?.name ?? null },
  }));
}

async function expiryEvents({ tx, now, organizationId }: Scope, cluster: ClusterRow): Promise<NewClusterEvent[]> {
  const rows = await tx.agentKey.updateManyAndReturn({
    where: {
      organizationId,
      clusterId: cluster.id,
      revokedAt: null,
      expiryWarnedAt: null,
      expiresAt: { gt: now, lte: new Date(now.getTime() + WARNING_MS) },
    },
    data: { expiryWarnedAt: now },
    select: { id: true, name: true, expiresAt: true },
  });
  return rows.map(({ id, name, expiresAt }) => ({
    type: 'io.penstock.agent-key.expiring',
    subject: `agent-key/${id}`,
    severity: 'warning',
    text: `The key “${name}” expires on ${expiresAt === null ? '' : at(expiresAt)}. Agents that use it are refused from then on. Extend it, or move the agents to a new key.`,
    data: { agentKeyId: id, name, expiresAt: expiresAt?.toISOString() ?? null },
  }));
}

function at(time: Date): string {
  return formatDateTime(time.getTime(), 'UTC');
}
