// What a call can be about: rows of an organization, created without the API, so that no permission is needed.
import { createHash } from 'node:crypto';
import type { Database } from '@penstock/database/client';
import type { AuthSession } from '@penstock/identity';
import { newId } from '@penstock/platform';
import type { OperationFacts } from '../operation/operation-facts.ts';
import type { Installation } from './installation.ts';
import { newInvoice } from './new-invoice.ts';

/** Targets that a call can name, by the name of the input. */
export interface Target {
  clusterId: string;
  clusterName: string;
  agentKeyId: string;
  apiKeyId: string;
  organizationId: string;
  /** A viewer of the organization. */
  userId: string;
  invitationId: string;
  /** Known to the recipient of the mail. */
  token: string;
  /** A silence of the cluster. */
  silenceId: string;
  /** An invoice with one line, for the cluster. */
  invoiceId: string;
  invoice: string;
  /** A domain that is verified. */
  domainId: string;
  /** The id of a SCIM token. */
  tokenId: string;
  /** A session of the owner. */
  sessionId: string;
}

/** The operation that a target is made for. */
interface Called extends Pick<OperationFacts, 'access'> {
  path: string;
}

interface Tenants {
  organizationId: string;
  otherOrganizationId: string;
  owner: AuthSession;
}

/** Whether the target is a deleted cluster. */
export const isOnDeleted = ({ path }: Called): boolean => path === 'cluster.restore';

/** Creates a cluster with a key, a member and an invitation, bypassing the API so that no permission is needed. */
export async function newTarget({ database, newPerson }: Installation, row: Called, tenants: Tenants): Promise<Target> {
  const { organizationId, owner } = tenants;
  // Deletes those of earlier calls: an organization may have two hundred.
  await database.virtualCluster.deleteMany({ where: { organizationId } });
  const clusterId = newId();
  const agentKeyId = newId();
  const clusterName = `target ${clusterId}`;
  const deletedAt = isOnDeleted(row) ? new Date() : null;
  await database.virtualCluster.create({
    data: {
      id: clusterId,
      organizationId,
      name: clusterName,
      cloud: 'aws',
      region: 'x',
      deletionProtection: false,
      deletedAt,
    },
  });
  await database.agentKey.create({
    data: {
      id: agentKeyId,
      clusterId,
      organizationId,
      name: 'key',
      displayPrefix: 'p',
      displayLast4: 'l',
      hash: new TextEncoder().encode(agentKeyId),
    },
  });
  await database.agentAddress.create({
    data: { clusterId, organizationId, host: 'agent-1.internal', state: 'pending', keyId: agentKeyId },
  });
  // Created only when needed: an organization may have a hundred.
  const apiKeyId = row.access === 'api-key:write' ? await newApiKey(database, organizationId) : newId();
  const member = await newPerson({ organizationId, role: 'viewer' });
  const invoiceId = await newInvoice(database, { organizationId, clusterId });
  const invitationId = newId();
  const invitationToken = newId();
  await database.invitation.create({
    data: {
      id: invitationId,
      organizationId,
      email: `${invitationId}@example.com`,
      role: 'viewer',
      status: 'pending',
      tokenHash: createHash('sha256').update(invitationToken).digest(),
      // Dated back: the number of invitations per day is limited.
      createdAt: new Date(Date.now() - 2 * 24 * 60 * 60 * 1000),
      expiresAt: new Date(Date.now() + 60_000),
      inviterId: owner.user.id,
    },
  });
  return {
    clusterId,
    clusterName,
    agentKeyId,
    apiKeyId,
    organizationId,
    userId: member.user.id,
    invitationId,
    token: invitationToken,
    silenceId: await newSilence(database, organizationId, clusterId),
    invoiceId,
    invoice: invoiceId,
    domainId: row.access === 'sso:write' ? await newSso(database, tenants) : newId(),
    tokenId: row.access === 'sso:write' ? await newScimToken(database, organizationId) : newId(),
    sessionId: owner.sessionId,
  };
}

/** A connection for both organizations, and a verified domain of ours. */
async function newSso(database: Database, { organizationId, otherOrganizationId }: Tenants): Promise<string> {
  const settings = { issuer: 'https://login.example.com', clientId: 'penstock', clientSecret: new Uint8Array(1) };
  for (const id of [organizationId, otherOrganizationId]) {
    const create = { organizationId: id, ...settings, defaultRole: 'viewer' };
    await database.ssoConnection.upsert({ where: { organizationId: id }, create, update: {} });
  }
  // Deletes earlier ones: an organization may have twenty.
  await database.ssoDomain.deleteMany({ where: { organizationId } });
  const id = newId();
  const domain = { id, organizationId, domain: `${id}.example`, token: 'token', verifiedAt: new Date() };
  await database.ssoDomain.create({ data: domain });
  return id;
}

async function newScimToken(database: Database, organizationId: string): Promise<string> {
  const id = newId();
  const hash = new TextEncoder().encode(id);
  const token = { organizationId, displayPrefix: 'p', displayLast4: 'l', hash };
  // An organization may have two that are active.
  await database.scimToken.deleteMany({ where: { organizationId } });
  await database.scimToken.create({ data: { id, ...token, expiresAt: new Date(Date.now() + 60_000) } });
  return id;
}

async function newApiKey(database: Database, organizationId: string): Promise<string> {
  const id = newId();
  const hash = new TextEncoder().encode(id);
  const key = { organizationId, name: 'key', role: 'viewer', displayPrefix: 'p', displayLast4: 'l', hash };
  await database.apiKey.create({ data: { id, ...key } });
  return id;
}

async function newSilence(database: Database, organizationId: string, clusterId: string): Promise<string> {
  const { id } = await database.healthSilence.create({
    data: {
      id: newId(),
      clusterId,
      organizationId,
      rule: null,
      reason: 'Test',
      until: new Date(Date.now() + 3_600_000),
      createdBy: 'somebody',
      createdAt: new Date(),
    },
  });
  return id;
}
