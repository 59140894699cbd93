// Calls every procedure as every kind of caller. A procedure that is missing here fails the first test.
import { createHash } from 'node:crypto';
import type { AuthSession } from '@penstock/identity';
import { newId } from '@penstock/platform';
import { clusterRoleNames, isAllowed, isClusterPermission, roles } from '@penstock/tenancy';
import { TRPCError } from '@trpc/server';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { appRouter } from './app-router.ts';
import { setUpInstallation } from './testing/installation.ts';
import { newInvoice } from './testing/new-invoice.ts';
import { rowsOfTenant } from './testing/rows-of-tenant.ts';
import { toTrpcError } from './trpc/errors.ts';
import type { Access } from './trpc/trpc.ts';

/**
 * Disables the web layer's checks: it believes that the user owns an organization, while the database gets the real
 * one.
 */
const forgedMembership = vi.hoisted(() => ({ claimed: null as string | null, actual: '' }));
vi.mock('../../identity/src/organization/list-memberships.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../identity/src/organization/list-memberships.ts')>();
  const listMemberships: typeof original.listMemberships = async (tx, userId) =>
    forgedMembership.claimed === null
      ? original.listMemberships(tx, userId)
      : [{ organizationId: forgedMembership.claimed, organizationName: 'Acme', role: 'owner', clusterRoles: {} }];
  return { ...original, listMemberships };
});
vi.mock('../../tenancy/src/access/scope.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../tenancy/src/access/scope.ts')>();
  const inTenant: typeof original.inTenant = (database, organizationId, work) =>
    original.inTenant(database, forgedMembership.claimed === null ? organizationId : forgedMembership.actual, work);
  const readInTenant: typeof original.readInTenant = (reads, organizationId, ...read) =>
    original.readInTenant(reads, forgedMembership.claimed === null ? organizationId : forgedMembership.actual, ...read);
  return { ...original, inTenant, readInTenant };
});

type Caller = ReturnType<typeof installation.caller>;

interface Target {
  clusterId: string;
  clusterName: string;
  agentKeyId: string;
  apiKeyId: string;
  organizationId: string;
  /** A viewer of the organization. */
  memberId: string;
  invitationId: string;
  /** Known to the recipient of the mail. */
  invitationToken: string;
  /** A silence of the cluster. */
  silenceId: string;
  /** An invoice with one line, for the cluster. */
  invoiceId: string;
  /** A verified domain. */
  ssoDomainId: string;
  scimTokenId: string;
}

interface Row {
  access: Access;
  /** Open to every member: it leaves out clusters that the caller has no role for. */
  isFiltered?: true;
  /** About the organization as a whole, although its permission is one that a role for a cluster can give. */
  isOrganizationWide?: true;
  call(caller: Caller, target: Target): Promise<unknown>;
  /** Names an object of a tenant: a user of another organization, whatever their role there, must get "not found". */
  isAboutATarget: boolean;
  /** The target is a deleted cluster. */
  isOnDeleted?: true;
  /** This installation is not configured for it (no Stripe keys, no webhook), and says so to permitted callers. */
  isNotSetUp?: true;
  /** The confirmation is wrong on purpose: a permitted caller gets that error. */
  isMistyped?: true;
  /** No role grants it: it belongs to one user, and does not exist for anybody else. */
  isPersonal?: true;
  /** Names an object that the fake metadata service does not have: a permitted caller gets "not found". */
  isMissing?: true;
}

const installation = setUpInstallation();

/** Reads a streamed file to its end. */
async function read(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  try {
    for await (const piece of pieces) {
      text += piece;
    }
  } catch (error) {
    throw toTrpcError(error);
  }
  return text;
}

const matrix: Record<string, Row> = {
  'session.get': { access: 'anyone', isAboutATarget: false, call: (api) => api.session.get() },
  'mailbox.list': { access: 'anyone', isAboutATarget: false, call: (api) => api.mailbox.list() },
  'account.security': { access: 'signed-in', isAboutATarget: false, call: (api) => api.account.security() },
  'account.sessions': { access: 'signed-in', isAboutATarget: false, call: (api) => api.account.sessions() },
  'account.revokeSession': {
    access: 'signed-in',
    isAboutATarget: true,
    isPersonal: true,
    call: (api) => api.account.revokeSession({ sessionId: owner.sessionId }),
  },
  'organization.create': {
    access: 'signed-in',
    isAboutATarget: false,
    call: (api) => api.organization.create({ name: 'Another' }),
  },
  'organization.get': { access: 'organization:read', isAboutATarget: false, call: (api) => api.organization.get() },
  'sso.get': { access: 'sso:write', isAboutATarget: false, call: (api) => api.sso.get() },
  'sso.update': {
    access: 'sso:write',
    isAboutATarget: false,
    call: (api) =>
      api.sso.update({
        issuer: 'https://login.example.com',
        clientId: 'penstock',
        clientSecret: 'secret',
        defaultRole: 'viewer',
        isRequired: false,
      }),
  },
  'sso.addDomain': {
    access: 'sso:write',
    isAboutATarget: false,
    call: (api) => api.sso.addDomain({ domain: `${newId()}.example` }),
  },
  'sso.verifyDomain': {
    access: 'sso:write',
    isAboutATarget: true,
    call: (api, { ssoDomainId }) => api.sso.verifyDomain({ domainId: ssoDomainId }),
  },
  'sso.removeDomain': {
    access: 'sso:write',
    isAboutATarget: true,
    call: (api, { ssoDomainId }) => api.sso.removeDomain({ domainId: ssoDomainId }),
  },
  'sso.scim': { access: 'sso:write', isAboutATarget: false, call: (api) => api.sso.scim() },
  'sso.createScimToken': {
    access: 'sso:write',
    isAboutATarget: false,
    call: (api) => api.sso.createScimToken({ lifetimeDays: 30, overlapHours: 0 }),
  },
  'sso.revokeScimToken': {
    access: 'sso:write',
    isAboutATarget: true,
    call: (api, { scimTokenId }) => api.sso.revokeScimToken({ tokenId: scimTokenId }),
  },
  'sso.remove': { access: 'sso:write', isAboutATarget: false, call: (api) => api.sso.remove() },
  'organization.export': {
    access: 'organization:export',
    isAboutATarget: false,
    call: async (api) => read((await api.organization.export()).pieces),
  },
  // With a wrong name, so that no other test loses its organization.
  'organization.twoFactorDemand': {
    access: 'sso:write',
    isAboutATarget: false,
    call: (api) => api.organization.twoFactorDemand(),
  },
  'organization.setTwoFactorDemand': {
    access: 'sso:write',
    isAboutATarget: false,
    call: (api) => api.organization.setTwoFactorDemand({ isRequired: false }),
  },
  'organization.sessionLifetime': {
    access: 'sso:write',
    isAboutATarget: false,
    call: (api) => api.organization.sessionLifetime(),
  },
  'organization.setSessionLifetime': {
    access: 'sso:write',
    isAboutATarget: false,
    call: (api) => api.organization.setSessionLifetime({ days: 30 }),
  },
  'organization.delete': {
    access: 'organization:delete',
    isAboutATarget: false,
    isMistyped: true,
    call: (api) => api.organization.delete({ confirmation: 'mistyped' }),
  },
  'organization.listDeleted': {
    access: 'signed-in',
    isAboutATarget: false,
    call: (api) => api.organization.listDeleted(),
  },
  'organization.restore': {
    access: 'signed-in',
    isAboutATarget: true,
    isPersonal: true,
    call: (api, { organizationId }) => api.organization.restore({ organizationId }),
  },
  'organization.exportDeleted': {
    access: 'signed-in',
    isAboutATarget: true,
    isPersonal: true,
    call: async (api, { organizationId }) => read((await api.organization.exportDeleted({ organizationId })).pieces),
  },
  'organization.setActive': {
    access: 'signed-in',
    isAboutATarget: true,
    call: (api, { organizationId }) => api.organization.setActive({ organizationId }),
  },
  'organization.listMembers': {
    access: 'member:read',
    isAboutATarget: false,
    call: (api) => api.organization.listMembers(),
  },
  'member.changeRole': {
    access: 'member:write',
    isAboutATarget: true,
    call: (api, { memberId }) => api.member.changeRole({ userId: memberId, role: 'billing' }),
  },
  'member.remove': {
    access: 'member:write',
    isAboutATarget: true,
    call: (api, { memberId }) => api.member.remove({ userId: memberId }),
  },
  'member.leave': { access: 'organization:read', isAboutATarget: false, call: (api) => api.member.leave() },
  'member.transferOwnership': {
    access: 'owner:write',
    isAboutATarget: true,
    call: (api, { memberId }) => api.member.transferOwnership({ userId: memberId }),
  },
  'invitation.create': {
    access: 'member:write',
    isAboutATarget: false,
    call: (api) => api.invitation.create({ email: `${newId()}@example.com`, role: 'viewer' }),
  },
  'invitation.list': { access: 'member:write', isAboutATarget: false, call: (api) => api.invitation.list() },
  'invitation.listReceived': {
    access: 'signed-in',
    isAboutATarget: false,
    call: (api) => api.invitation.listReceived(),
  },
  'invitation.preview': {
    access: 'anyone',
    isAboutATarget: false,
    call: (api, { invitationToken }) => api.invitation.preview({ token: invitationToken }),
  },
  'invitation.accept': {
    access: 'signed-in',
    isAboutATarget: true,
    isPersonal: true,
    call: (api, { invitationId }) => api.invitation.accept({ invitationId }),
  },
  'invitation.revoke': {
    access: 'member:write',
    isAboutATarget: true,
    call: (api, { invitationId }) => api.invitation.revoke({ invitationId }),
  },
  'cluster.create': {
    access: 'cluster:write',
    isOrganizationWide: true,
    isAboutATarget: false,
    call: (api) => api.cluster.create({ name: `new ${newId()}`, cloud: 'aws', region: 'eu-central-1' }),
  },
  'cluster.list': {
    access: 'cluster:read',
    isFiltered: true,
    isAboutATarget: false,
    call: (api) => api.cluster.list(),
  },
  'cluster.listDeleted': {
    access: 'cluster:read',
    isFiltered: true,
    isAboutATarget: false,
    call: (api) => api.cluster.listDeleted(),
  },
  'cluster.get': {
    access: 'cluster:read',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.cluster.get({ clusterId }),
  },
  'cluster.rename': {
    access: 'cluster:write',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.cluster.rename({ clusterId, name: `renamed ${newId()}` }),
  },
  'cluster.updateSettings': {
    access: 'cluster:write',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.cluster.updateSettings({ clusterId, defaultPartitions: 3 }),
  },
  'cluster.modes': {
    access: 'cluster:read',
    isFiltered: true,
    isAboutATarget: false,
    call: (api) => api.cluster.modes(),
  },
  'cluster.previewModes': {
    access: 'cluster:read',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.cluster.previewModes({ clusterId }),
  },
  'cluster.delete': {
    access: 'cluster:delete',
    isAboutATarget: true,
    call: (api, { clusterId, clusterName }) => api.cluster.delete({ clusterId, confirmation: clusterName }),
  },
  'cluster.restore': {
    access: 'cluster:delete',
    isAboutATarget: true,
    isOnDeleted: true,
    call: (api, { clusterId }) => api.cluster.restore({ clusterId }),
  },
  'cluster.view': {
    access: 'cluster:read',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.cluster.view({ clusterId }),
  },
  ...Object.fromEntries(
    (['summary', 'throughput', 'agents', 'topics', 'groups'] as const).map((name): [string, Row] => [
      `cluster.${name}`,
      {
        access: 'cluster:read',
        isAboutATarget: true,
        call: (api, { clusterId }) => api.cluster[name]({ clusterId }),
      },
    ]),
  ),
  ...Object.fromEntries(
    (['topic', 'group', 'consumers'] as const).map((name): [string, Row] => [
      `cluster.${name}`,
      {
        access: 'cluster:read',
        isAboutATarget: true,
        call: (api, { clusterId }) => api.cluster[name]({ clusterId, name: 'none' }),
      },
    ]),
  ),
  'cluster.watch': {
    access: 'cluster:read',
    isAboutATarget: true,
    call: async (api, { clusterId }) => {
      for await (const event of await api.cluster.watch({ clusterId })) {
        return event;
      }
      return undefined;
    },
  },
  'agentKey.create': {
    access: 'agent-key:write',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.agentKey.create({ clusterId, name: 'key' }),
  },
  'agentKey.list': {
    access: 'agent-key:read',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.agentKey.list({ clusterId }),
  },
  'agentKey.update': {
    access: 'agent-key:write',
    isAboutATarget: true,
    call: (api, { agentKeyId }) => api.agentKey.update({ agentKeyId, networks: ['203.0.113.0/24'] }),
  },
  'agentKey.listAddresses': {
    access: 'agent-key:read',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.agentKey.listAddresses({ clusterId }),
  },
  'agentKey.confirmAddress': {
    access: 'agent-key:write',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.agentKey.confirmAddress({ clusterId, host: 'agent-2.internal' }),
  },
  'agentKey.removeAddress': {
    access: 'agent-key:write',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.agentKey.removeAddress({ clusterId, host: 'agent-1.internal' }),
  },
  'agentKey.revoke': {
    access: 'agent-key:write',
    isAboutATarget: true,
    call: (api, { agentKeyId }) => api.agentKey.revoke({ agentKeyId }),
  },
  'apiKey.create': {
    access: 'api-key:write',
    isAboutATarget: false,
    call: (api) => api.apiKey.create({ name: 'key', role: 'viewer' }),
  },
  'apiKey.list': { access: 'api-key:read', isAboutATarget: false, call: (api) => api.apiKey.list() },
  'apiKey.current': {
    access: 'organization:read',
    isAboutATarget: true,
    isMissing: true,
    call: (api) => api.apiKey.current(),
  },
  'apiKey.rotate': {
    access: 'api-key:write',
    isAboutATarget: true,
    call: (api, { apiKeyId }) => api.apiKey.rotate({ apiKeyId }),
  },
  'apiKey.revoke': {
    access: 'api-key:write',
    isAboutATarget: true,
    call: (api, { apiKeyId }) => api.apiKey.revoke({ apiKeyId }),
  },
  'topic.create': {
    access: 'topic:write',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.topic.create({ clusterId, name: 'topic' }),
  },
  'topic.delete': {
    access: 'topic:write',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.topic.delete({ clusterId, name: 'topic', confirmation: 'topic' }),
  },
  'topic.createBrowseToken': {
    access: 'record:read',
    isAboutATarget: true,
    isMissing: true,
    call: (api, { clusterId }) => api.topic.createBrowseToken({ clusterId, name: 'topic' }),
  },
  'topic.alterConfigs': {
    access: 'topic:write',
    isAboutATarget: true,
    call: (api, { clusterId }) =>
      api.topic.alterConfigs({ clusterId, name: 'topic', configs: { 'retention.ms': '1000' } }),
  },
  'group.resetOffsets': {
    access: 'topic:write',
    isAboutATarget: true,
    isMissing: true,
    call: (api, { clusterId }) => api.group.resetOffsets({ clusterId, groupId: 'group', topic: 'topic', to: 'latest' }),
  },
  'group.previewReset': {
    access: 'cluster:read',
    isAboutATarget: true,
    isMissing: true,
    call: (api, { clusterId }) => api.group.previewReset({ clusterId, groupId: 'group', topic: 'topic', to: 'latest' }),
  },
  'topic.configs': {
    access: 'cluster:read',
    isAboutATarget: true,
    isMissing: true,
    call: (api, { clusterId }) => api.topic.configs({ clusterId, name: 'topic' }),
  },
  'transaction.list': {
    access: 'cluster:read',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.transaction.list({ clusterId }),
  },
  'transaction.get': {
    access: 'cluster:read',
    isAboutATarget: true,
    isMissing: true,
    call: (api, { clusterId }) => api.transaction.get({ clusterId, transactionalId: 'none' }),
  },
  'transaction.abort': {
    access: 'topic:write',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.transaction.abort({ clusterId, transactionalId: 't', confirmation: 't' }),
  },
  'group.delete': {
    access: 'topic:write',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.group.delete({ clusterId, groupId: 'group', confirmation: 'group' }),
  },
  ...Object.fromEntries(
    (['listUsers', 'listAcls', 'listDeniedRequests', 'getSettings', 'listQuotas'] as const).map(
      (name): [string, Row] => [
        `access.${name}`,
        {
          access: 'access:read',
          isAboutATarget: true,
          call: (api, { clusterId }) => api.access[name]({ clusterId }),
        },
      ],
    ),
  ),
  'access.putUserCredential': {
    access: 'access:write',
    isAboutATarget: true,
    call: (api, { clusterId }) =>
      api.access.putUserCredential({
        clusterId,
        user: 'alice',
        mechanism: 'SCRAM-SHA-256',
        salt: 'c2FsdA==',
        storedKey: 'a2V5',
        serverKey: 'a2V5',
        iterations: 4_096,
      }),
  },
  'access.deleteUser': {
    access: 'access:write',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.access.deleteUser({ clusterId, user: 'alice' }),
  },
  'access.createAcls': {
    access: 'access:write',
    isAboutATarget: true,
    call: (api, { clusterId }) =>
      api.access.createAcls({
        clusterId,
        acls: [{ resourceType: 'TOPIC', resourceName: 'topic', principal: 'User:alice', operation: 'READ' }],
      }),
  },
  'access.deleteAcls': {
    access: 'access:write',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.access.deleteAcls({ clusterId, principal: 'User:alice' }),
  },
  'access.updateSettings': {
    access: 'access:write',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.access.updateSettings({ clusterId, aclMode: 'shadow' }),
  },
  'access.setQuota': {
    access: 'access:write',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.access.setQuota({ clusterId, user: 'alice', producerByteRate: 1_000 }),
  },
  'telemetry.series': {
    access: 'cluster:read',
    isAboutATarget: true,
    call: (api, { clusterId }) =>
      api.telemetry.series({ clusterId, metric: 'latency.produce', fromMs: Date.now() - 60_000, toMs: Date.now() }),
  },
  'telemetry.metrics': {
    access: 'cluster:read',
    isAboutATarget: true,
    call: (api, { clusterId }) =>
      api.telemetry.metrics({ clusterId, metrics: ['requests'], fromMs: Date.now() - 60_000, toMs: Date.now() }),
  },
  'telemetry.clients': {
    access: 'cluster:read',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.telemetry.clients({ clusterId, fromMs: Date.now() - 60_000, toMs: Date.now() }),
  },
  'telemetry.clientSeries': {
    access: 'cluster:read',
    isAboutATarget: true,
    call: (api, { clusterId }) =>
      api.telemetry.clientSeries({ clusterId, clientId: 'app', fromMs: Date.now() - 60_000, toMs: Date.now() }),
  },
  'telemetry.organizationThroughput': {
    access: 'cluster:read',
    isFiltered: true,
    isAboutATarget: false,
    call: (api) => api.telemetry.organizationThroughput({ fromMs: Date.now() - 60_000, toMs: Date.now() }),
  },
  'telemetry.agentDiagnosis': {
    access: 'cluster:read',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.telemetry.agentDiagnosis({ clusterId, agentId: 'agent' }),
  },
  'telemetry.agentFigures': {
    access: 'cluster:read',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.telemetry.agentFigures({ clusterId }),
  },
  'telemetry.agentReadings': {
    access: 'cluster:read',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.telemetry.agentReadings({ clusterId }),
  },
  'health.get': {
    access: 'cluster:read',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.health.get({ clusterId }),
  },
  'health.levels': {
    access: 'cluster:read',
    isFiltered: true,
    isAboutATarget: false,
    call: (api) => api.health.levels(),
  },
  'health.events': {
    access: 'cluster:read',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.health.events({ clusterId }),
  },
  'health.metrics': {
    access: 'cluster:read',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.health.metrics({ clusterId }),
  },
  'health.chooseRecipient': {
    access: 'cluster:write',
    isOrganizationWide: true,
    isAboutATarget: true,
    call: (api, { memberId }) => api.health.chooseRecipient({ userId: memberId, isTold: false }),
  },
  'health.createSilence': {
    access: 'silence:write',
    isAboutATarget: true,
    call: (api, { clusterId }) =>
      api.health.createSilence({ clusterId, rule: null, until: new Date(Date.now() + 60_000), reason: 'Test' }),
  },
  'health.endSilence': {
    access: 'silence:write',
    isAboutATarget: true,
    call: (api, { silenceId }) => api.health.endSilence({ silenceId }),
  },
  'usage.monthToDate': {
    access: 'usage:read',
    isAboutATarget: true,
    call: (api, { clusterId }) => api.usage.monthToDate({ clusterId }),
  },
  ...Object.fromEntries(
    (['account', 'draft', 'monthByDay', 'forecast', 'credits', 'budget'] as const).map((name): [string, Row] => [
      `billing.${name}`,
      { access: 'billing:read', isAboutATarget: false, call: (api) => api.billing[name]() },
    ]),
  ),
  'billing.listInvoices': {
    access: 'billing:read',
    isAboutATarget: false,
    call: (api) => api.billing.listInvoices({}),
  },
  'billing.getInvoice': {
    access: 'billing:read',
    isAboutATarget: true,
    call: (api, { invoiceId }) => api.billing.getInvoice({ invoiceId }),
  },
  'billing.exportInvoice': {
    access: 'billing:read',
    isAboutATarget: true,
    call: (api, { invoiceId }) => api.billing.exportInvoice({ invoice: invoiceId, format: 'csv' }),
  },
  'billing.lineOrigin': {
    access: 'billing:read',
    isAboutATarget: true,
    call: (api, { invoiceId }) => api.billing.lineOrigin({ invoice: invoiceId, position: 1 }),
  },
  'billing.webhook': { access: 'billing:write', isAboutATarget: false, call: (api) => api.billing.webhook() },
  'billing.updateBudget': {
    access: 'billing:write',
    isAboutATarget: false,
    call: (api) => api.billing.updateBudget({ budgetUsd: '100' }),
  },
  'billing.updateWebhook': {
    access: 'billing:write',
    isAboutATarget: false,
    call: (api) => api.billing.updateWebhook({ webhookUrl: null }),
  },
  'billing.sendTestWebhook': {
    access: 'billing:write',
    isAboutATarget: false,
    isNotSetUp: true,
    call: (api) => api.billing.sendTestWebhook(),
  },
  'billing.updateDetails': {
    access: 'billing:write',
    isAboutATarget: false,
    call: (api) =>
      api.billing.updateDetails({
        legalName: 'Acme Inc.',
        addressLine1: null,
        addressLine2: null,
        city: null,
        state: null,
        postalCode: null,
        country: null,
        taxIdType: null,
        taxId: null,
        billingEmail: null,
      }),
  },
  ...Object.fromEntries(
    (['startPaymentSetup', 'openPaymentPortal'] as const).map((name): [string, Row] => [
      `billing.${name}`,
      { access: 'billing:write', isAboutATarget: false, isNotSetUp: true, call: (api) => api.billing[name]() },
    ]),
  ),
  'billing.payInvoiceByCard': {
    access: 'billing:write',
    isAboutATarget: true,
    isNotSetUp: true,
    call: (api, { invoiceId }) => api.billing.payInvoiceByCard({ invoiceId }),
  },
  'billing.completePaymentSetup': {
    access: 'billing:write',
    isAboutATarget: false,
    isNotSetUp: true,
    call: (api) => api.billing.completePaymentSetup({ sessionId: 'cs_test_1' }),
  },
  'audit.list': { access: 'audit:read', isAboutATarget: false, call: (api) => api.audit.list({}) },
  'audit.export': {
    access: 'audit:read',
    isAboutATarget: false,
    call: async (api) => read((await api.audit.export({})).pieces),
  },
};

let organizationId: string;
let otherOrganizationId: string;
let owner: AuthSession;

beforeAll(async () => {
  organizationId = await installation.newOrganization();
  otherOrganizationId = await installation.newOrganization();
  // So that everybody else may leave.
  owner = await installation.newPerson({ organizationId, role: 'owner' });
  await installation.newPerson({ organizationId: otherOrganizationId, role: 'owner' });
});

/** Creates a cluster with a key, a member and an invitation, bypassing the API so that no permission is needed. */
async function newTarget(row: Row): Promise<Target> {
  // Deletes those of earlier calls: an organization may have two hundred.
  await installation.database.virtualCluster.deleteMany({ where: { organizationId } });
  const clusterId = newId();
  const agentKeyId = newId();
  const clusterName = `target ${clusterId}`;
  const deletedAt = row.isOnDeleted === true ? new Date() : null;
  await installation.database.virtualCluster.create({
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
  await installation.database.agentKey.create({
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
  await installation.database.agentAddress.create({
    data: { clusterId, organizationId, host: 'agent-1.internal', state: 'pending', keyId: agentKeyId },
  });
  // Created only when needed: an organization may have a hundred.
  const apiKeyId = row.access === 'api-key:write' ? await newApiKey() : newId();
  const member = await installation.newPerson({ organizationId, role: 'viewer' });
  const invitationId = newId();
  const invitationToken = newId();
  await installation.database.invitation.create({
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
    memberId: member.user.id,
    invitationId,
    invitationToken,
    silenceId: await newSilence(clusterId),
    invoiceId: await newInvoice(installation.database, { organizationId, clusterId }),
    ssoDomainId: row.access === 'sso:write' ? await newSso() : newId(),
    scimTokenId: row.access === 'sso:write' ? await newScimToken() : newId(),
  };
}

/** A connection for both organizations, and a verified domain of ours. */
async function newSso(): Promise<string> {
  const settings = { issuer: 'https://login.example.com', clientId: 'penstock', clientSecret: new Uint8Array(1) };
  for (const id of [organizationId, otherOrganizationId]) {
    const create = { organizationId: id, ...settings, defaultRole: 'viewer' };
    await installation.database.ssoConnection.upsert({ where: { organizationId: id }, create, update: {} });
  }
  // Deletes earlier ones: an organization may have twenty.
  await installation.database.ssoDomain.deleteMany({ where: { organizationId } });
  const id = newId();
  const domain = { id, organizationId, domain: `${id}.example`, token: 'token', verifiedAt: new Date() };
  await installation.database.ssoDomain.create({ data: domain });
  return id;
}

async function newScimToken(): Promise<string> {
  const id = newId();
  const hash = new TextEncoder().encode(id);
  const token = { organizationId, displayPrefix: 'p', displayLast4: 'l', hash };
  // An organization may have two that are active.
  await installation.database.scimToken.deleteMany({ where: { organizationId } });
  await installation.database.scimToken.create({ data: { id, ...token, expiresAt: new Date(Date.now() + 60_000) } });
  return id;
}

async function newApiKey(): Promise<string> {
  const id = newId();
  const hash = new TextEncoder().encode(id);
  const key = { organizationId, name: 'key', role: 'viewer', displayPrefix: 'p', displayLast4: 'l', hash };
  await installation.database.apiKey.create({ data: { id, ...key } });
  return id;
}

async function newSilence(clusterId: string): Promise<string> {
  const { id } = await installation.database.healthSilence.create({
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

/** Whether a role for the target's cluster can open it. */
function isAboutACluster({ access, isFiltered, isOrganizationWide }: Row): boolean {
  const isOfClusters = access !== 'anyone' && access !== 'signed-in' && isClusterPermission(access);
  return isOfClusters && isFiltered !== true && isOrganizationWide !== true;
}

/** What `newTarget` makes differs by this. */
function kindOf({ access, isOnDeleted }: Row): string {
  return `${access === 'api-key:write' || access === 'sso:write' ? access : ''} ${isOnDeleted === true}`;
}

/** The objects and people of the last calls, which only queries and refused calls have seen. */
let untouched: { kind: string; target: Target; people: Map<string, AuthSession> } | undefined;

/** Objects that no call has changed. Creating them takes most of a call's time. */
async function targetFor(row: Row): Promise<Target> {
  if (untouched?.kind !== kindOf(row)) {
    untouched = { kind: kindOf(row), target: await newTarget(row), people: new Map() };
  }
  return untouched.target;
}

/** A person whom no call has changed. */
async function personFor(row: Row, ...member: Parameters<typeof installation.newPerson>): Promise<AuthSession> {
  await targetFor(row);
  const key = JSON.stringify(member);
  const person = untouched?.people.get(key) ?? (await installation.newPerson(...member));
  untouched?.people.set(key, person);
  return person;
}

/** `ok`, or the tRPC code of the refusal. */
async function outcome(path: string, row: Row, session: AuthSession | null): Promise<string> {
  const target = await targetFor(row);
  const { type } =
    (appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>)[path]?._def ?? {};
  try {
    await row.call(installation.caller(session), target);
    if (type !== 'query') {
      untouched = undefined;
    }
    return 'ok';
  } catch (error) {
    if (error instanceof TRPCError) {
      return error.code;
    }
    throw error;
  }
}

/** The outcome of a call by a permitted caller. */
function within(row: Row): string {
  if (row.isMistyped === true) {
    return 'BAD_REQUEST';
  }
  return row.isNotSetUp === true ? 'PRECONDITION_FAILED' : 'ok';
}

test('every procedure of the router is in the matrix, with the access that it was built with', () => {
  const built = Object.entries(appRouter._def.procedures).map(([path, procedure]) => {
    const { meta } = (procedure as unknown as { _def: { meta: { access: Access } } })._def;
    return [path, meta.access];
  });
  const written = Object.entries(matrix).map(([path, { access }]) => [path, access]);
  expect(built.sort()).toEqual(written.sort());
});

describe.each(Object.entries(matrix))('%s', (path, row) => {
  const { access } = row;

  test('nobody signed in', async () => {
    expect(await outcome(path, row, null)).toBe(access === 'anyone' ? 'ok' : 'UNAUTHORIZED');
  });

  test.each(roles)('a member with the role %s', async (role) => {
    const isOpen = access === 'anyone' || access === 'signed-in' || isAllowed(role, access) || row.isFiltered === true;
    const opened = row.isPersonal === true || row.isMissing === true ? 'NOT_FOUND' : within(row);
    const member = await personFor(row, { organizationId, role });
    // Without a role for it, a cluster does not exist.
    const refused = role === 'none' && isAboutACluster(row) ? 'NOT_FOUND' : 'FORBIDDEN';
    expect(await outcome(path, row, member)).toBe(isOpen ? opened : refused);
  });

  test.each(clusterRoleNames)(
    'a member with the role %s for the cluster, and none for the organization',
    async (role) => {
      const target = await targetFor(row);
      const clusterRoles = { [target.clusterId]: role };
      const member = await personFor(row, { organizationId, role: 'none', clusterRoles });
      const isOpen =
        access === 'anyone' ||
        access === 'signed-in' ||
        isAllowed('none', access) ||
        row.isFiltered === true ||
        (isAboutACluster(row) && isAllowed(role, access));
      const opened = row.isPersonal === true || row.isMissing === true ? 'NOT_FOUND' : within(row);
      expect(await outcome(path, row, member)).toBe(isOpen ? opened : 'FORBIDDEN');
    },
  );

  test('the owner of another organization', async () => {
    const stranger = await personFor(row, { organizationId: otherOrganizationId, role: 'owner' });
    expect(await outcome(path, row, stranger)).toBe(row.isAboutATarget ? 'NOT_FOUND' : within(row));
  });

  test('a user without an organization', async () => {
    const expected = row.isAboutATarget ? 'NOT_FOUND' : 'ok';
    const isForMembers = access !== 'anyone' && access !== 'signed-in';
    expect(await outcome(path, row, await personFor(row))).toBe(isForMembers ? 'PRECONDITION_FAILED' : expected);
  });
});

describe('with the web layer’s checks disabled, row-level security alone', () => {
  afterEach(() => {
    forgedMembership.claimed = null;
  });

  const guardedTables = [
    'organization',
    'member',
    'invitation',
    'virtual_cluster',
    'agent_key',
    'audit_log',
    'sso_connection',
    'sso_domain',
  ] as const;

  const rowsOf = (table: (typeof guardedTables)[number]): Promise<string> =>
    rowsOfTenant(installation.database, table, organizationId);

  const forMembers = Object.entries(matrix).filter(([, { access }]) => access !== 'anyone' && access !== 'signed-in');

  test.each(forMembers)('keeps %s from reading or changing another organization', async (_path, row) => {
    const stranger = await installation.newPerson({ organizationId: otherOrganizationId, role: 'owner' });
    const target = await targetFor(row);
    const before = await Promise.all(guardedTables.map(rowsOf));
    forgedMembership.claimed = organizationId;
    forgedMembership.actual = otherOrganizationId;
    // Either an answer without any of their data, or any refusal: row-level security gives no readable errors.
    const answer = await row.call(installation.caller(stranger), target).then(
      (result) => JSON.stringify(result, (_key, value) => (typeof value === 'bigint' ? String(value) : value)) ?? '',
      (error: unknown) => (error instanceof TRPCError ? 'refused' : Promise.reject(error)),
    );
    forgedMembership.claimed = null;
    if (row.isAboutATarget) {
      expect(answer).toBe('refused');
    }
    for (const mark of [target.clusterName, target.memberId, target.invitationId, target.agentKeyId]) {
      expect(answer).not.toContain(mark);
    }
    expect(await Promise.all(guardedTables.map(rowsOf))).toEqual(before);
  });
});
